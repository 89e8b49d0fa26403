package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
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
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rules for an entry before it is stored: its scope must have a meaning, its subject must not
 * be too wide, and a block must not lie inside an allow. Pure; called by the control server and by
 * {@link ListFiles}.
 */
public final class OperatorRules {

  /** The scopes in which an address is one that the client named, not its own. */
  private static final Set<Set<Check>> OF_ADDRESSES_NAMED =
      Set.of(Set.of(Check.HELO), Set.of(Check.URL_HOST));

  private OperatorRules() {}

  /**
   * Returns why the entry is not taken; empty when it is.
   *
   * @param force the person said {@code --force}
   */
  public static Optional<Refusal> check(
      NewEntry entry, WidthRules widths, OperatorView view, Instant now, boolean force) {
    return checkAlone(entry, widths, force)
        .or(() -> force ? Optional.empty() : insideAllow(entry, view, now));
  }

  /** The same without the rule that looks at other entries: for lines of files, in any order. */
  static Optional<Refusal> checkAlone(NewEntry entry, WidthRules widths, boolean force) {
    return checkScope(entry)
        .or(() -> widths.check(entry))
        .filter(refusal -> !(force && refusal.forceable()));
  }

  private static Optional<Refusal> insideAllow(NewEntry entry, OperatorView view, Instant now) {
    if (entry.list() != ListKind.BLOCK) {
      return Optional.empty();
    }
    return allowsAround(entry.subject(), view, now).stream()
        .filter(allow -> isComparable(entry.scope(), allow.scope()))
        .filter(allow -> !allow.isOfClientName() || isNamed(entry.subject(), allow.subject()))
        .findFirst()
        .flatMap(allow -> inside(entry, allow));
  }

  /**
   * Entries for HELO are compared with other entries for HELO only, and those of client names with
   * their like.
   */
  private static boolean isComparable(Set<Check> one, Set<Check> other) {
    return Stream.of(Set.of(Check.HELO), OperatorEntry.OF_CLIENT_NAME)
        .allMatch(alone -> one.equals(alone) == other.equals(alone));
  }

  /** The name of a client is that name alone, and not what is below it. */
  private static boolean isNamed(Subject subject, Subject allowed) {
    return !(allowed instanceof DomainName) || allowed.equals(subject);
  }

  /** Live allow entries that cover all of the subject, narrowest first. */
  public static List<OperatorEntry> allowsAround(Subject subject, OperatorView view, Instant now) {
    return switch (subject) {
      case IpPrefix prefix ->
          view.covering(ListKind.ALLOW, prefix.network(), now).stream()
              .filter(allow -> isAround(allow, prefix))
              .toList();
      case NamePattern pattern ->
          pattern.keys().stream()
              .flatMap(key -> view.covering(ListKind.ALLOW, key, now).stream())
              .filter(allow -> allow.subject().narrowness() <= pattern.narrowness())
              .toList();
      case MailAddress address -> allowsAround(address, view, now);
      case DomainName _, WebUrl _, Fingerprint _, Likeness _ ->
          view.covering(ListKind.ALLOW, (ListKey) subject, now);
      case AsNumber _ -> List.of(); // no entry is about one
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

  private static Optional<Refusal> inside(NewEntry block, OperatorEntry allow) {
    boolean same = block.subject().equals(allow.subject());
    return same
        ? Refusal.unlessForced(
            block.subject() + " is allowed by entry " + allow.id(),
            "of equal entries the allow wins: remove it with `bloomgate allow remove %s`"
                .formatted(allow.subject() instanceof NamePattern ? allow.id() : allow.subject()))
        : Refusal.unlessForced(
            "%s lies inside what is allowed by entry %s (%s)"
                .formatted(block.subject(), allow.id(), allow.subject()),
            "with --force the block is stored and wins, because it is the narrower");
  }

  /**
   * The first rule of scopes that the entry breaks. A name proves nothing about a connection, so
   * that pardoning an address on a name alone needs {@code --force}.
   */
  private static Optional<Refusal> checkScope(NewEntry entry) {
    boolean name = !(entry.subject() instanceof IpPrefix);
    if (!name && entry.from() != null && !OF_ADDRESSES_NAMED.contains(entry.scope())) {
      return Refusal.always(
          "--from is for domains and addresses; a network says itself where it holds",
          "leave --from out, or say --scope helo if the literal in HELO is meant, --scope url_host"
              + " for links");
    }
    if (entry.scope().contains(Check.CLIENT_NAME) && !isHostName(entry.subject())) {
      return Refusal.always(
          entry.subject() + " is no name of a client",
          "name a host as mail.example.net, or all below a domain as .dyn.example.net");
    }
    return switch (entry.list()) {
      case ALLOW -> name ? checkAllowedName(entry) : Optional.empty();
      case BLOCK -> checkBlock(entry);
    };
  }

  private static boolean isHostName(Subject subject) {
    return subject instanceof DomainName
        || (subject instanceof NamePattern pattern && !pattern.isOfAddresses());
  }

  private static Optional<Refusal> checkAllowedName(NewEntry entry) {
    boolean pardonsConnection = entry.anyScope() || entry.scope().contains(Check.CLIENT_IP);
    if (!pardonsConnection || entry.from() != null) {
      return Optional.empty();
    }
    return Refusal.unlessForced(
        "anyone can claim the name "
            + entry.subject()
            + ": this scope lets every listed host in that says so",
        "name the network that it sends from with --from CIDR, or repeat the command with"
            + " --force");
  }

  private static Optional<Refusal> checkBlock(NewEntry entry) {
    if (entry.anyScope()) {
      return Refusal.always("block knows no scope any", "name one check, or leave it out");
    }
    Set<Check> sensible = comparable(entry.subject());
    if (sensible.containsAll(entry.scope())) {
      return Optional.empty();
    }
    return Refusal.always(
        entry.subject() + " is never compared with " + OperatorText.scopeWord(entry.scope()),
        "this kind of subject can have scope " + OperatorText.scopeWord(sensible));
  }

  /** The checks whose keys a block of this subject can be compared with. */
  private static Set<Check> comparable(Subject subject) {
    return switch (subject) {
      case IpPrefix ignored -> EnumSet.of(Check.CLIENT_IP, Check.HELO, Check.URL_HOST);
      case NamePattern pattern when pattern.isOfAddresses() -> EnumSet.of(Check.SENDER, Check.FROM);
      case DomainName _, NamePattern _ ->
          EnumSet.of(
              Check.CLIENT_NAME,
              Check.HELO,
              Check.SENDER,
              Check.SENDER_DOMAIN,
              Check.FROM,
              Check.FROM_DOMAIN,
              Check.REPLY_TO_DOMAIN,
              Check.URL_HOST);
      case MailAddress ignored -> EnumSet.of(Check.SENDER, Check.FROM);
      case WebUrl ignored -> EnumSet.of(Check.URL);
      case Fingerprint ignored -> EnumSet.of(Check.ATTACHMENT, Check.SUBJECT, Check.BODY);
      case Likeness ignored -> EnumSet.of(Check.BODY);
      case AsNumber _ -> EnumSet.noneOf(Check.class);
    };
  }

  /**
   * The reason why an entry is not taken. Immutable.
   *
   * @param message what is wrong, for the person who asked
   * @param hint how to fix it
   * @param forceable true when {@code --force} overrides the refusal
   */
  public record Refusal(String message, String hint, boolean forceable) {

    /** A refusal that {@code --force} lifts. */
    public static Optional<Refusal> unlessForced(String message, String hint) {
      return Optional.of(new Refusal(message, hint, true));
    }

    /** A refusal of an entry that has no meaning. */
    static Optional<Refusal> always(String message, String hint) {
      return Optional.of(new Refusal(message, hint, false));
    }
  }
}
