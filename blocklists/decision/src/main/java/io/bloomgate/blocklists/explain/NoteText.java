package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.ListRule;
import io.bloomgate.blocklists.decision.Recipients;
import io.bloomgate.blocklists.decision.Whereabouts;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.score.FeedPromotion;
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

  private NoteText() {}

  /** Says what greylisting knows; empty for a sender that has not come yet. */
  static Optional<String> greylist(Greylist.Standing known) {
    return switch (known.next()) {
      case FIRST -> Optional.empty();
      case EARLY ->
          Optional.of(
              "greylisting: it waits since "
                  + known.since()
                  + "; it is let in when it comes again between "
                  + known.letInFrom()
                  + " and "
                  + known.until());
      case RETURNED ->
          Optional.of(
              "greylisting: it waits since "
                  + known.since()
                  + " and may come again now; it is let in until "
                  + known.until());
      case PASSED ->
          Optional.of(
              "greylisting: it came again and is let in; this is remembered until "
                  + known.until()
                  + ", and longer with each mail");
      case KNOWN ->
          Optional.of("greylisting: mail from its network was accepted lately, so it is let in");
      case NO_ROOM -> Optional.of("greylisting: too many senders wait, so it is let in");
    };
  }

  /** Names the profile of a recipient, and why it applies; exempt ones are named as that. */
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
            list
                + " has action "
                + known.to().key()
                + " by its evidence since "
                + last.at()
                + ", the settings say "
                + known.settings().key()
                + "; `bloomgate feeds promote "
                + list
                + " --no-auto` takes that back");
  }

  /** Says whose network the client is in, and which version of which table says so. */
  static List<String> whose(List<AsnAnswer> answers, SnapshotManifest manifest) {
    return answers.stream()
        .map(one ->
            "the network of the client is "
                + one.words()
                + ", by "
                + one.feed()
                + manifest.feed(one.feed()).map(table -> " version " + table.version()).orElse(""))
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
            "rule "
                + rule.name()
                + " is not met: "
                + String.join(", ", good)
                + (good.size() == 1 ? " counts" : " count")
                + " against it");
      }
    }
    return notes;
  }
}
