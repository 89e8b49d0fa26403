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
 * @param content all that an operator says of it
 * @param author Unix user of the command, or {@code file:PATH:LINE}
 * @param used when it last lifted or refused something, to the day; {@code null} for never
 */
public record OperatorEntry(
    String id, NewEntry content, String author, Instant created, @Nullable Instant used) {

  /** The parts of {@link #content}, as that says. */
  public ListKind list() {
    return content.list();
  }

  public Subject subject() {
    return content.subject();
  }

  public @Nullable IpPrefix from() {
    return content.from();
  }

  public Set<Check> scope() {
    return content.scope();
  }

  public boolean anyScope() {
    return content.anyScope();
  }

  public String reason() {
    return content.reason();
  }

  public @Nullable Instant expires() {
    return content.expires();
  }

  public @Nullable Duration unused() {
    return content.unused();
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
    return expires() != null && !now.isBefore(expires());
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
    return check != Check.CLIENT_NAME
        || !(subject() instanceof DomainName)
        || subject().equals(key);
  }

  /** True for an entry of client names alone. */
  public boolean isOfClientName() {
    return scope().equals(OF_CLIENT_NAME);
  }

  private static int compareWidths(OperatorEntry a, OperatorEntry b) {
    int bySubject = Integer.compare(b.subject().narrowness(), a.subject().narrowness());
    return bySubject != 0 ? bySubject : Integer.compare(depth(b.from()), depth(a.from()));
  }

  private static int depth(@Nullable IpPrefix from) {
    return from == null ? -1 : from.length();
  }
}
