package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.operator.OperatorEntry.ListKind;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.Check;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that is asked of an entry before it is stored: scopes that mean something, no
 * carelessly wide subject, no block inside an allow. Pure; called by the control server and by
 * {@link ListFiles}.
 */
public final class OperatorRules {

  private OperatorRules() {}

  /**
   * Why the entry is not taken; empty when it is.
   *
   * @param force the person said {@code --force}
   */
  public static Optional<Refusal> check(
      NewEntry entry, WidthRules widths, OperatorView view, Instant now, boolean force) {
    return ScopeRules.check(entry)
        .or(() -> widths.check(entry))
        .filter(refusal -> !(force && refusal.forceable()))
        .or(() -> force ? Optional.empty() : insideAllow(entry, view, now));
  }

  /** The same without the rule that looks at other entries: for lines of files, in any order. */
  static Optional<Refusal> checkAlone(NewEntry entry, WidthRules widths, boolean force) {
    return ScopeRules.check(entry)
        .or(() -> widths.check(entry))
        .filter(refusal -> !(force && refusal.forceable()));
  }

  private static Optional<Refusal> insideAllow(NewEntry entry, OperatorView view, Instant now) {
    if (entry.list() != ListKind.BLOCK) {
      return Optional.empty();
    }
    return allowsAround(entry.subject(), view, now).stream()
        .filter(allow -> speaksOfHelo(entry.scope()) == speaksOfHelo(allow.scope()))
        .findFirst()
        .map(allow -> inside(entry, allow));
  }

  /** HELO is a kind of its own: only there do such entries meet. */
  private static boolean speaksOfHelo(Set<Check> scope) {
    return scope.equals(Set.of(Check.HELO));
  }

  /** Live allow entries that cover all of the subject, narrowest first. */
  public static List<OperatorEntry> allowsAround(Subject subject, OperatorView view, Instant now) {
    return switch (subject) {
      case IpPrefix prefix ->
          view.covering(ListKind.ALLOW, prefix.network(), now).stream()
              .filter(allow -> isAround(allow, prefix))
              .toList();
      case DomainName domain -> view.covering(ListKind.ALLOW, domain, now);
      case MailAddress address -> allowsAround(address, view, now);
    };
  }

  private static List<OperatorEntry> allowsAround(
      MailAddress address, OperatorView view, Instant now) {
    List<OperatorEntry> allows = new ArrayList<>(view.covering(ListKind.ALLOW, address, now));
    if (address.host() instanceof MailAddress.Host.Name host) {
      allows.addAll(view.covering(ListKind.ALLOW, host.name(), now));
    }
    return allows;
  }

  private static boolean isAround(OperatorEntry allow, IpPrefix prefix) {
    return allow.subject() instanceof IpPrefix network && network.length() <= prefix.length();
  }

  private static Refusal inside(NewEntry block, OperatorEntry allow) {
    boolean same = block.subject().equals(allow.subject());
    return Refusal.unlessForced(
        block,
        block.subject()
            + (same ? " is allowed by entry " : " lies inside what is allowed by entry ")
            + allow.id()
            + (same ? "" : " (" + allow.subject() + ")"),
        same
            ? "of equal entries the allow wins: remove it with `bloomgate allow remove "
                + allow.subject()
                + "`"
            : "with --force the block is stored and wins, because it is the narrower");
  }
}
