package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Check;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which scopes mean something for which entries, and which are dangerous (contract, section 3,
 * allow NAME with from). A name proves nothing about a connection, so that pardoning an address on
 * a name alone needs {@code --force}. Pure.
 */
final class ScopeRules {

  private ScopeRules() {}

  /** The first rule that the entry breaks. */
  static Optional<Refusal> check(NewEntry entry) {
    boolean name = !(entry.subject() instanceof IpPrefix);
    if (!name && entry.from() != null && !entry.scope().equals(Set.of(Check.HELO))) {
      return Optional.of(
          Refusal.always(
              entry,
              "--from is for domains and addresses; a network says itself where it holds",
              "leave --from out, or say --scope helo if the literal in HELO is meant"));
    }
    return switch (entry.list()) {
      case ALLOW -> name ? checkAllowedName(entry) : Optional.empty();
      case BLOCK -> checkBlock(entry);
    };
  }

  private static Optional<Refusal> checkAllowedName(NewEntry entry) {
    boolean pardonsConnection = entry.anyScope() || entry.scope().contains(Check.CLIENT_IP);
    if (!pardonsConnection || entry.from() != null) {
      return Optional.empty();
    }
    return Optional.of(
        Refusal.unlessForced(
            entry,
            "anyone can claim the name "
                + entry.subject()
                + ": this scope lets every listed host in that says so",
            "name the network that it sends from with --from CIDR, or repeat the command with"
                + " --force"));
  }

  private static Optional<Refusal> checkBlock(NewEntry entry) {
    if (entry.anyScope()) {
      return Optional.of(
          Refusal.always(entry, "block knows no scope any", "name one check, or leave it out"));
    }
    Set<Check> sensible = comparable(entry.subject());
    if (sensible.containsAll(entry.scope())) {
      return Optional.empty();
    }
    return Optional.of(
        Refusal.always(
            entry,
            entry.subject() + " is never compared with " + OperatorText.scopeWord(entry.scope()),
            "this kind of subject can have scope " + OperatorText.scopeWord(sensible)));
  }

  /** The checks whose keys a block of this subject can be compared with. */
  private static Set<Check> comparable(Subject subject) {
    return switch (subject) {
      case IpPrefix ignored -> EnumSet.of(Check.CLIENT_IP, Check.HELO);
      case DomainName ignored -> EnumSet.of(Check.HELO, Check.SENDER, Check.SENDER_DOMAIN);
      case MailAddress ignored -> EnumSet.of(Check.SENDER);
    };
  }
}
