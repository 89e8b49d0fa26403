package io.bloomgate.gateway.smtp;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.MailAddress;
import org.jspecify.annotations.Nullable;

/**
 * The argument of MAIL FROM (RFC 5321 section 4.1.1.2): relayed as it came, compared by its normal
 * form. Immutable.
 *
 * @param text what is between the angle brackets, without a source route; empty for the null
 *     reverse-path, and a local part alone as it is (printers and cron send {@code root})
 * @param address the normal form for lists; {@code null} for the null reverse-path and for an
 *     address that no list can hold
 * @param domain what follows the at sign, asked whatever comes before it, and as far as it can be
 *     read ({@link DomainName#asked}); {@code null} for the null reverse-path, an address literal
 *     and a name of which no two labels can be read
 */
public record ReversePath(String text, @Nullable MailAddress address, @Nullable DomainName domain) {

  /** The null reverse-path {@code <>}. */
  public static final ReversePath NULL = new ReversePath("", null, null);

  /** True for {@code <>}. */
  public boolean isNull() {
    return text.isEmpty();
  }
}
