package io.bloomgate.blocklists.explain;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.joining;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.settings.Action;
import java.util.List;

/**
 * Grounds and pardons in words, for people: answers of commands and of {@code explain}. Names that
 * came from outside are normal forms of printable ASCII. Pure.
 */
public final class GroundText {

  private GroundText() {}

  /** One ground: {@code sample-drop lists 203.0.113.0/24 (client_ip, line 17, reject)}. */
  public static String of(Ground ground) {
    return switch (ground) {
      case Ground.Listed(var check, var subject, var listing, var action, var weakness) ->
          "%s lists %s (%s, line %d, %s)"
              .formatted(
                  listing.feed(),
                  listing.entry().text(),
                  check.key(),
                  listing.entry().line(),
                  left(action, weakness));
      case Ground.ByDns(var listing, var action, var weakness) ->
          "%s lists %s (%s, answer %s of %s, %s)"
              .formatted(
                  listing.list(),
                  listing.subject(),
                  listing.check().key(),
                  listing.answer(),
                  listing.zone(),
                  left(action, weakness));
      case Ground.BySign(var sign, var subject, var client, var seen, var action, var weakness) ->
          "sign %s: %s (%s, %s)"
              .formatted(sign.key(), seen, sign.check().key(), left(action, weakness));
      case Ground.RuleMet met ->
          "rule %s needs %d of its lists, and these list it: %s%s (%s)"
              .formatted(
                  met.source(),
                  met.needed(),
                  met.counted().stream().map(Ground.OfList::source).collect(joining(", ")),
                  where(met.where()),
                  left(met.action(), met.weakness()));
      case Ground.Blocked(Check check, Likeness asked, OperatorEntry block, var _, var _)
          when block.subject() instanceof Likeness stored ->
          "operator entry %s blocks texts like this one (%s, %d of %d minima)"
              .formatted(block.id(), check.key(), stored.equalMinima(asked), Likeness.MINIMA);
      case Ground.Blocked(var check, var subject, var block, var _, var _) ->
          "operator entry %s blocks %s (%s)"
              .formatted(
                  block.id(),
                  check == Check.SUBJECT ? "this subject" : block.subject(),
                  check.key());
      case Ground.Failed(var check, var subject, var detail) ->
          "the lists could not be read for " + check.key();
    };
  }

  private static String where(List<AsnAnswer> answers) {
    return answers.stream()
        .map(one -> one.words() + " by " + one.feed())
        .collect(
            collectingAndThen(
                joining(", "), all -> all.isEmpty() ? all : "; the client is in " + all));
  }

  private static String left(Action action, Weakness weakness) {
    return action.key() + (weakness == Weakness.NONE ? "" : ": " + weakness.key());
  }

  /** Says why a ground does not count: {@code allowed by entry a3 (203.0.113.9)}. */
  public static String why(Pardon pardon) {
    return switch (pardon) {
      case Pardon.Allowed(OperatorEntry entry) ->
          "allowed by entry %s (%s)"
              .formatted(
                  entry.id(),
                  ShownKey.ofEntry(
                      entry.scope().stream().map(Check::key).toList(), entry.subject().toString()));
      case Pardon.NeverBlocked(String set) ->
          switch (set) {
            case ProtectedSet.OWN -> "the gateway's own address or host name";
            case ProtectedSet.LISTED -> "protected by feeds.protect";
            default -> "protected by never_block: " + set;
          };
      case Pardon.KnownSender() ->
          "mail of this sender was accepted from the same network before (unless: known)";
      case Pardon.Waived(Waiver waiver) -> waiver.words();
    };
  }
}
