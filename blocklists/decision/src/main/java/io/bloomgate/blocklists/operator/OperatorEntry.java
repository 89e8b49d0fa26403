package io.bloomgate.blocklists.operator;

import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an operator list. Immutable.
 *
 * @param id short and stable, as {@code allow list} shows it
 * @param from for names: holds only for clients inside this network
 * @param scope the checks that the entry acts on; empty means those that its subject's kind implies
 * @param anyScope pardons everything on the name alone ({@code --scope any --force})
 * @param author Unix user of the command, or {@code file:PATH:LINE}
 * @param expires {@code null} for no end
 * @param unused moves the end: each use puts it off to that time later; {@code null} where it stays
 * @param used when it last lifted or refused something, to the day; {@code null} for never
 */
public record OperatorEntry(
    String id,
    ListKind list,
    Subject subject,
    @Nullable IpPrefix from,
    Set<Check> scope,
    boolean anyScope,
    String reason,
    String author,
    Instant created,
    @Nullable Instant expires,
    @Nullable Duration unused,
    @Nullable Instant used) {

  public OperatorEntry {
    scope = Set.copyOf(scope);
  }

  /** One whose end stays, if it has any, and that was never of use. */
  public OperatorEntry(
      String id,
      ListKind list,
      Subject subject,
      @Nullable IpPrefix from,
      Set<Check> scope,
      boolean anyScope,
      String reason,
      String author,
      Instant created,
      @Nullable Instant expires) {
    this(id, list, subject, from, scope, anyScope, reason, author, created, expires, null, null);
  }

  /** The same, with what is known of its use. */
  OperatorEntry lastUsed(@Nullable Instant at) {
    return new OperatorEntry(
        id, list, subject, from, scope, anyScope, reason, author, created, expires, unused, at);
  }

  /**
   * Orders two entries that cover the same key, the narrower one first (rules of decision in
   * gateway/README.md; operator allow against operator block). Networks: the longer prefix. Names:
   * an address before a pattern of addresses, these before a domain, a domain of more labels before
   * one of fewer, a pattern below a domain before it. Of the same subject, one with {@code from}
   * before one without, a longer one first.
   */
  static final Comparator<OperatorEntry> NARROWER_FIRST = OperatorEntry::compareWidths;

  /** The scope of an entry of client names. */
  static final Set<Check> OF_CLIENT_NAME = Set.of(Check.CLIENT_NAME);

  /** True when the entry no longer counts at this time. */
  public boolean expiredAt(Instant now) {
    return expires != null && !now.isBefore(expires);
  }

  /** True when this entry is as narrow as the other or narrower. */
  public boolean atLeastAsNarrowAs(OperatorEntry other) {
    return compareWidths(this, other) <= 0;
  }

  /**
   * True when the entry, whose subject covers the key, holds for it as this check: as the name of a
   * client a domain is that name alone, and {@code .domain} the names below.
   */
  public boolean holdsFor(Check check, ListKey key) {
    return check != Check.CLIENT_NAME || !(subject instanceof DomainName) || subject.equals(key);
  }

  /** True for an entry of client names alone. */
  public boolean isOfClientName() {
    return scope.equals(OF_CLIENT_NAME);
  }

  private static int compareWidths(OperatorEntry a, OperatorEntry b) {
    int bySubject = Integer.compare(b.subject.narrowness(), a.subject.narrowness());
    return bySubject != 0 ? bySubject : Integer.compare(depth(b.from), depth(a.from));
  }

  private static int depth(@Nullable IpPrefix from) {
    return from == null ? -1 : from.length();
  }
}
