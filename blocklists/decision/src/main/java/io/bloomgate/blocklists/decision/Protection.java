package io.bloomgate.blocklists.decision;

import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Third step of a decision: {@code never_block}. A feed's listing is void when its network equals
 * or lies inside a protected one, or when its name is a protected name or a suffix around one; an
 * address at a protected name stays listable. A network around a protected one is void for the
 * clients inside it, and around what providers and private networks have for all. By HELO the names
 * below a mailbox provider's are protected too. An operator's block gives way only for the key
 * itself (the client inside the protected network), so that a block of a wide network still holds
 * for the rest of it, and only to the sets that say so: downstream and loopback. The feed guard
 * does the same at build; here it also holds for generations that were built under other settings.
 * Pure.
 */
final class Protection {

  /**
   * Names of the sets that also override an operator's block (rules of decision in
   * gateway/README.md).
   */
  private static final Set<String> BEAT_THE_OPERATOR = Set.of("downstream", "loopback");

  private Protection() {}

  /** The set that voids the ground, {@code null} when none does. */
  static @Nullable Pardon voids(Ground ground, Facts facts, Policy policy) {
    if (ground instanceof Ground.OfList listed && listed.action() == Action.TRUST) {
      // A list of good senders says the same of a protected one as we do.
      return null;
    }
    for (ProtectedSet set : policy.protectedSets()) {
      boolean isVoid =
          switch (ground) {
            case Ground.Listed listed ->
                protects(set, listed.check(), listed.listing().entry())
                    || (listed.subject() instanceof IpAddress && contains(set, listed.subject()));
            case Ground.ByDns answer -> protects(set, answer.check(), answer.asEntry());
            // What the mail shows is not the provider's whose users all send by his hosts.
            case Ground.BySign sign ->
                !(sign.sign().needsContent() && set.word().equals(ProtectedSet.MAIL_PROVIDERS))
                    && set.protects(sign.asEntry());
            case Ground.Blocked blocked ->
                BEAT_THE_OPERATOR.contains(set.word())
                    && contains(
                        set,
                        blocked.check() == Check.CLIENT_NAME ? facts.client() : blocked.subject());
            case Ground.RuleMet ignored -> false;
            case Ground.Failed ignored -> false;
          };
      if (isVoid) {
        return new Pardon.NeverBlocked(set.word());
      }
    }
    return null;
  }

  private static boolean protects(ProtectedSet set, Check check, ListEntry entry) {
    boolean ofHost = check == Check.HELO || check == Check.CLIENT_NAME;
    return ofHost ? set.protectsHelo(entry) : set.protects(entry);
  }

  private static boolean contains(ProtectedSet set, ListKey key) {
    return switch (key) {
      case IpAddress address ->
          set.protects(new ListEntry.Network(IpPrefix.host(address), false, 0));
      case DomainName name -> set.names().contains(name);
      case MailAddress _, WebUrl _, Fingerprint _, Likeness _, AsNumber _ -> false;
    };
  }

  /** True when the client lies inside one of the exempt networks. */
  static boolean isExempt(Facts facts, Policy policy) {
    return isWithin(policy.exemptNetworks(), facts);
  }

  /** True when the mail comes from a trusted forwarder, which would bounce what is refused. */
  static boolean isForwarded(Facts facts, Policy policy) {
    return facts.seen().forwarder() != null || isWithin(policy.forwarders(), facts);
  }

  private static boolean isWithin(List<IpPrefix> networks, Facts facts) {
    for (int i = 0; i < networks.size(); i++) {
      if (facts.clientWithin(networks.get(i))) {
        return true;
      }
    }
    return false;
  }
}
