package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The things about one list that have to be known before its filter can be asked: the lengths of
 * its networks, whether it has patterns, the likenesses, which are compared one by one because near
 * copies have no common hash, and the checks that its entries need. Part of {@link ListFront};
 * immutable once it is made, for any thread.
 */
final class ListShape {

  static final ListShape EMPTY = new ListShape();

  private static final String URL = "url";
  private static final String PRINT = "print";
  static final String LIKENESS = "like";

  /** A pattern of which more than the suffix is compared. */
  static final String PATTERN = "pattern";

  /** All names below a top-level domain. */
  private static final String TOP = "top";

  /** The checks that cost something at mails for which no entry asks. */
  private static final Set<Check> LOOKED_FOR = EnumSet.copyOf(Check.OF_CONTENT);

  static {
    LOOKED_FOR.add(Check.CLIENT_NAME);
  }

  private static final Set<Check> OF_PRINTS = Set.of(Check.ATTACHMENT, Check.SUBJECT, Check.BODY);

  private final SortedSet<Integer> v4 = new TreeSet<>(Comparator.reverseOrder());
  private final SortedSet<Integer> v6 = new TreeSet<>(Comparator.reverseOrder());
  private final Set<Likeness> likenesses = new LinkedHashSet<>();
  private boolean patterns;
  private boolean tops;

  /** Sets of checks, and when the last entry that needs one ends. */
  private final Map<Set<Check>, Instant> needed = new HashMap<>();

  /**
   * The kind of a subject: the length of a network, as {@code 4/24}, or one of the words above;
   * empty for a name, all below it, an address and a host, of which nothing has to be known beside
   * their hashes.
   */
  static String kind(Subject subject) {
    return switch (subject) {
      case IpPrefix prefix when prefix.isHost() -> "";
      case IpPrefix prefix -> (prefix.isV4() ? "4/" : "6/") + prefix.length();
      case DomainName _, MailAddress _, AsNumber _ -> "";
      case NamePattern pattern ->
          pattern.isChecked() ? PATTERN : pattern.domain().isEmpty() ? TOP : "";
      case WebUrl _ -> URL;
      case Fingerprint _ -> PRINT;
      case Likeness _ -> LIKENESS;
    };
  }

  /** The same with more entries. */
  ListShape with(Collection<NewEntry> more) {
    if (more.isEmpty()) {
      return this;
    }
    ListShape shape = new ListShape();
    shape.v4.addAll(v4);
    shape.v6.addAll(v6);
    shape.likenesses.addAll(likenesses);
    shape.patterns = patterns;
    shape.tops = tops;
    shape.needed.putAll(needed);
    for (NewEntry entry : more) {
      Instant expires = entry.expires();
      shape.add(kind(entry.subject()), entry.scope(), expires == null ? Instant.MAX : expires);
      if (entry.subject() instanceof Likeness likeness) {
        shape.add(likeness);
      }
    }
    return shape;
  }

  /**
   * Adds entries of one kind and scope, while the shape is made.
   *
   * @param kind as {@link #kind} says
   * @param until when the last of them ends
   */
  void add(String kind, Set<Check> scope, Instant until) {
    if (kind.startsWith("4/")) {
      v4.add(Integer.valueOf(kind.substring(2)));
    } else if (kind.startsWith("6/")) {
      v6.add(Integer.valueOf(kind.substring(2)));
    }
    patterns |= kind.equals(PATTERN);
    tops |= kind.equals(TOP);
    Set<Check> checks = checks(kind, scope);
    if (!checks.isEmpty()) {
      needed.merge(checks, until, (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  /** Adds a likeness, while the shape is made. */
  void add(Likeness likeness) {
    likenesses.add(likeness);
  }

  /** True for an entry that a shape has to know. */
  static boolean knows(Subject subject, Set<Check> scope) {
    return !scope.isEmpty() || !kind(subject).isEmpty();
  }

  /**
   * True for an entry whose end changes the shape; the lengths of networks only become more, and so
   * do patterns.
   */
  static boolean isNarrowedBy(Subject subject, Set<Check> scope) {
    return !checks(kind(subject), scope).isEmpty();
  }

  /** The checks that entries of this kind need something to be looked for. */
  private static Set<Check> checks(String kind, Set<Check> scope) {
    if (scope.isEmpty()) {
      return switch (kind) {
        case URL -> Set.of(Check.URL);
        case PRINT -> OF_PRINTS;
        case LIKENESS -> Set.of(Check.BODY);
        default -> Set.of();
      };
    }
    Set<Check> checks = EnumSet.copyOf(scope);
    checks.retainAll(LOOKED_FOR);
    return checks;
  }

  /** The lengths of networks of one family, longest first. */
  Set<Integer> lengths(boolean ofV4) {
    return ofV4 ? v4 : v6;
  }

  Set<Likeness> likenesses() {
    return likenesses;
  }

  /** True when an address is looked for in patterns. */
  boolean hasPatterns() {
    return patterns;
  }

  /** True when a name is looked for by its last label too. */
  boolean hasTops() {
    return tops;
  }

  /** Returns the checks of contents that entries of this time need. */
  Set<Check> contentChecks(Instant now) {
    Set<Check> checks = needed(now);
    checks.remove(Check.CLIENT_NAME);
    return checks;
  }

  /** True when an entry of this time needs the name of the client. */
  boolean needsClientName(Instant now) {
    return !needed.isEmpty() && needed(now).contains(Check.CLIENT_NAME);
  }

  private Set<Check> needed(Instant now) {
    Set<Check> checks = EnumSet.noneOf(Check.class);
    needed.forEach((some, until) -> {
      if (now.isBefore(until)) {
        checks.addAll(some);
      }
    });
    return checks;
  }
}
