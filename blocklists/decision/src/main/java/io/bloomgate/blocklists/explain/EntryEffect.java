package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The effect of one operator entry: the decision about its own subject, without it and with it. For
 * the answer to {@code allow add} and {@code block add}. Pure.
 *
 * @param lifts grounds that counted and that the entry overrides
 * @param stillRefuses grounds that still refuse
 * @param adds grounds that the entry, a block, brings
 * @param notes sentences for the person who gave the command
 */
public record EntryEffect(
    List<Ground> lifts, List<Ground> stillRefuses, List<Ground> adds, List<String> notes) {

  public EntryEffect {
    lifts = List.copyOf(lifts);
    stillRefuses = List.copyOf(stillRefuses);
    adds = List.copyOf(adds);
    notes = List.copyOf(notes);
  }

  /**
   * The effect of an entry, stored already or not.
   *
   * @param incident the transaction that the command is about ({@code --incident}); {@code null}:
   *     the entry's own subject is asked about
   */
  public static EntryEffect of(
      OperatorEntry entry, Lists lists, Policy policy, Instant now, @Nullable Facts incident) {
    Facts keys = incident == null ? about(entry) : incident;
    OperatorView without = lists.operator().with(List.of(), Set.of(entry.id()));
    OperatorView with = without.with(List.of(entry), Set.of());
    Grounds before = grounds(keys, lists, without, policy, now);
    Grounds after = grounds(keys, lists, with, policy, now);
    List<Ground> lifts = less(before.standing(), after.standing());
    List<Ground> still =
        after.standing().stream().filter(ground -> ground.strength().refuses()).toList();
    List<Ground> adds = less(after.standing(), before.standing());
    return new EntryEffect(lifts, still, adds, notes(entry, after, still));
  }

  private static Grounds grounds(
      Facts keys, Lists lists, OperatorView operator, Policy policy, Instant now) {
    Lists asked = lists.withOperator(operator);
    return Gather.verdict(keys, asked, policy, now).grounds();
  }

  /** A session that has the subject of the entry and nothing else. */
  private static Facts about(OperatorEntry entry) {
    Content carried = carried(entry);
    if (!carried.keys().isEmpty()) {
      return Facts.of(entry.from(), null, List.of(), null, null).withContent(carried);
    }
    if (entry.isOfClientName()) {
      return ofClientName(entry);
    }
    return about(entry, entry.subject());
  }

  /** A client whose name the entry covers. */
  private static Facts ofClientName(OperatorEntry entry) {
    String name = entry.subject().keys().stream().map(ListKey::toString).findFirst().orElse("");
    ClientName confirmed = new ClientName(name, ClientName.State.CONFIRMED);
    return Facts.of(entry.from(), null, List.of(), null, null)
        .withSeen(Seen.NOTHING.withName(confirmed));
  }

  private static Facts about(OperatorEntry entry, Subject subject) {
    return switch (subject) {
      case IpPrefix prefix ->
          (entry.list() == ListKind.BLOCK || entry.from() != null)
                  && entry.scope().contains(Check.HELO)
              ? Facts.of(entry.from(), prefix.network(), List.of(), null, null)
              : Facts.of(prefix, null, List.of(), null, null);
      case DomainName name ->
          entry.scope().contains(Check.HELO)
              ? Facts.of(entry.from(), name, List.of(), name, null)
              : Facts.of(entry.from(), null, List.of(), name, null);
      case NamePattern pattern ->
          pattern
              .example()
              .map(one -> about(entry, one))
              .orElseGet(() -> Facts.of(entry.from(), null, List.of(), null, null));
      case MailAddress address ->
          Facts.of(entry.from(), null, address.askedForms(), Facts.domainOf(address), null);
      case WebUrl _, Fingerprint _, Likeness _, AsNumber _ ->
          Facts.of(entry.from(), null, List.of(), null, null)
              .withContent(Question.content(subject));
    };
  }

  /** Returns what a mail carries that the entry is about; nothing when it is about the envelope. */
  private static Content carried(OperatorEntry entry) {
    List<ContentKey> keys = new ArrayList<>();
    for (Check check : Check.OF_CONTENT) {
      if (entry.scope().contains(check)) {
        entry.subject().keys().stream()
            .filter(key -> check != Check.FROM_DOMAIN || !(key instanceof MailAddress))
            .forEach(key -> keys.add(new ContentKey(check, key, ContentKey.Place.OPEN)));
      }
    }
    if (entry.subject() instanceof WebUrl url && entry.scope().contains(Check.URL)) {
      // A list may hold the host of the same URL.
      keys.add(new ContentKey(Check.URL_HOST, url.host(), ContentKey.Place.OPEN));
    }
    return new Content(keys);
  }

  /** The grounds without those taken. */
  static List<Ground> less(List<Ground> grounds, List<Ground> taken) {
    return grounds.stream().filter(ground -> !taken.contains(ground)).toList();
  }

  private static List<String> notes(OperatorEntry entry, Grounds after, List<Ground> still) {
    return switch (entry.list()) {
      case ALLOW -> allowNotes(entry, still);
      case BLOCK -> blockNotes(entry, after);
    };
  }

  private static List<String> allowNotes(OperatorEntry entry, List<Ground> still) {
    boolean name =
        (entry.subject() instanceof DomainName
                || entry.subject() instanceof NamePattern
                || entry.subject() instanceof MailAddress)
            && !entry.isOfClientName()
            && carried(entry).keys().isEmpty();
    boolean onNameAlone = entry.anyScope() || entry.scope().contains(Check.CLIENT_IP);
    List<String> notes = new ArrayList<>();
    if (name && entry.from() == null && !onNameAlone) {
      notes.add(
          "an allowed name never lifts a listing of the client's address, because anyone can claim"
              + " a name; to let it in from a listed address: "
              + Undo.command(
                  "bloomgate allow add",
                  entry.subject(),
                  " --from " + listedClient(still).map(IpPrefix::toString).orElse("CIDR")));
    }
    if (name && entry.from() == null && onNameAlone) {
      notes.add(
          "anyone who claims "
              + entry.subject()
              + " is let in from listed addresses; --from CIDR would bind the name to its network");
    }
    return notes;
  }

  private static Optional<IpPrefix> listedClient(List<Ground> still) {
    return still.stream()
        .filter(ground -> ground.check() == Check.CLIENT_IP)
        .flatMap(ground ->
            ground.subject() instanceof IpAddress ip
                ? Optional.of(Undo.clientNetwork(ip)).stream()
                : Optional.<IpPrefix>empty().stream())
        .findFirst();
  }

  private static List<String> blockNotes(OperatorEntry entry, Grounds after) {
    List<String> notes = new ArrayList<>();
    for (Grounds.Pardoned pardoned : after.pardoned()) {
      if (pardoned.ground() instanceof Ground.Blocked(var check, var subject, var block, _, _)
          && block.id().equals(entry.id())) {
        notes.add(
            "the block of "
                + ShownKey.ofMail(check.key(), subject.toString())
                + " does not act: "
                + GroundText.why(pardoned.pardon()));
      }
    }
    return notes;
  }
}
