package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.ListRule;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.decision.Whereabouts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.guard.FeedDiff;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.refresh.FeedCommands.HeldChanges;
import io.bloomgate.blocklists.refresh.FeedLoop;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.name.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Notes of {@code explain} about what no listing shows: what greylisting knows of the sender,
 * actions that are not those of the settings, profiles, and rules that are not met. Pure; called by
 * {@link Explainer}, and for kept sessions by the gateway.
 */
public final class NoteText {

  static final String NEEDS_RECIPIENT =
      "greylisting remembers a sender for each recipient domain; ask again with --to to see whether"
          + " this one was let in";

  static final String TURNED_AWAY =
      "policy.reject_at is connect: the client is turned away before it names sender and recipient,"
          + " so neither exempt recipients nor entries for senders let its mail in";

  /** Entries of both versions; comparing these takes less than a second. */
  private static final long MAX_COMPARED = 200_000;

  private NoteText() {}

  /** The note where it holds. */
  static List<String> when(boolean holds, String note) {
    return holds ? List.of(note) : List.of();
  }

  /** Says what greylisting knows; empty for a sender that has not come yet. */
  static Optional<String> greylist(Greylist.Standing known) {
    return switch (known.next()) {
      case FIRST -> Optional.empty();
      case EARLY ->
          Optional.of(
              "greylisting: it waits since %s; it is let in when it comes again between %s and %s"
                  .formatted(known.since(), known.letInFrom(), known.until()));
      case RETURNED ->
          Optional.of(
              "greylisting: it waits since %s and may come again now; it is let in until %s"
                  .formatted(known.since(), known.until()));
      case PASSED ->
          Optional.of(
              ("greylisting: it came again and is let in; this is remembered until %s, and longer"
                      + " with each mail")
                  .formatted(known.until()));
      case KNOWN ->
          Optional.of("greylisting: mail from its network was accepted lately, so it is let in");
      case NO_ROOM -> Optional.of("greylisting: too many senders wait, so it is let in");
    };
  }

  /** Says which profile counts, where one is named. */
  static List<String> profile(Recipients.@Nullable Own own) {
    return own == null || own.named() == null ? List.of() : List.of(profile(own.named().words()));
  }

  /** The same of a profile as evidence has it. */
  public static String profile(String words) {
    return "the profile of the recipient is " + words;
  }

  /** Says where the action of a list comes from; empty when it is that of the settings. */
  static Optional<String> promoted(String list, FeedPromotion known) {
    FeedPromotion.Step last = known.last();
    return !known.moved() || last == null
        ? Optional.empty()
        : Optional.of(
            ("%s has action %s by its evidence since %s, the settings say %s; `bloomgate feeds"
                    + " promote %1$s --no-auto` takes that back")
                .formatted(list, known.to().key(), last.at(), known.settings().key()));
  }

  /** Says whose network the client is in, and which version of which table says so. */
  static List<String> whose(List<AsnAnswer> answers, SnapshotManifest manifest) {
    return answers.stream()
        .map(one ->
            "the network of the client is %s, by %s%s"
                .formatted(
                    one.words(),
                    one.feed(),
                    manifest.feed(one.feed()).map(it -> " version " + it.version()).orElse("")))
        .toList();
  }

  /**
   * The rules that lists of good senders keep from being met.
   *
   * @param whose network the client is in
   */
  static List<String> rulesNotMet(List<ListRule> rules, Grounds grounds, Whereabouts whose) {
    List<String> notes = new ArrayList<>();
    for (ListRule rule : rules) {
      List<String> good = rule.preventedBy(grounds.standing(), whose);
      if (!good.isEmpty()) {
        notes.add(
            "rule %s is not met: %s %s against it"
                .formatted(
                    rule.name(), String.join(", ", good), good.size() == 1 ? "counts" : "count"));
      }
    }
    return notes;
  }

  /** The same answer, with a sentence for each listing that a held version does not have. */
  public static Parsed<Explanation> withHeld(Parsed<Explanation> answer, FeedLoop feeds) {
    return answer instanceof Parsed.Ok<Explanation>(Explanation explanation, var warning)
        ? new Parsed.Ok<>(explanation.withNotes(List.of(), notes(explanation, feeds)), warning)
        : answer;
  }

  private static List<String> notes(Explanation explanation, FeedLoop feeds) {
    List<String> notes = new ArrayList<>();
    for (Explanation.Listed listed : explanation.listings()) {
      if (listed.isOfFeed()
          && feeds.heldChanges(listed.feed(), FeedDiff.MOST_SHOWN, MAX_COMPARED)
              instanceof HeldChanges.Compared found
          && found.removed().samples().stream()
              .anyMatch(one -> one.entry().equals(listed.entry()))) {
        notes.add(note(listed.feed(), found.held(), listed.entry()));
      }
    }
    return notes.stream().distinct().toList();
  }

  private static String note(String feed, long version, String entry) {
    return ("version %d of %s is held and does not have %s any more: `bloomgate feeds show %2$s`"
            + " says why, `bloomgate feeds accept %2$s` makes it live")
        .formatted(version, feed, entry);
  }
}
