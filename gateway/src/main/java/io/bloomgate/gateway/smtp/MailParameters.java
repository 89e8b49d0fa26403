package io.bloomgate.gateway.smtp;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of MAIL (RFC 1870, RFC 6152, RFC 6531, RFC 3461). Immutable.
 *
 * @param sizeOctets announced size, -1 when none
 * @param body {@code null} when none
 * @param ret RET=, {@code null} when none
 * @param envid ENVID= as xtext, {@code null} when none
 */
public record MailParameters(
    long sizeOctets,
    @Nullable Body body,
    boolean smtpUtf8,
    @Nullable String ret,
    @Nullable String envid) {

  /** No parameter at all. */
  public static final MailParameters NONE = new MailParameters(-1, null, false, null, null);

  /** BODY=. */
  public enum Body {
    SEVEN_BIT("7BIT"),
    EIGHT_BIT_MIME("8BITMIME");

    private final String keyword;

    Body(String keyword) {
      this.keyword = keyword;
    }

    /** The keyword on the wire. */
    public String keyword() {
      return keyword;
    }
  }

  /** True when a DSN parameter of RFC 3461 was given. */
  public boolean usesDsn() {
    return ret != null || envid != null;
  }
}
