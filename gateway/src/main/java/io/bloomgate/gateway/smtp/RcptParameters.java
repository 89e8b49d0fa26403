package io.bloomgate.gateway.smtp;

import org.jspecify.annotations.Nullable;

/**
 * Parameters of RCPT (RFC 3461 section 4). Immutable.
 *
 * @param notifyOn NOTIFY= value, {@code null} when none
 * @param orcpt ORCPT= value as given, {@code null} when none
 */
public record RcptParameters(@Nullable String notifyOn, @Nullable String orcpt) {

  /** No parameter. */
  public static final RcptParameters NONE = new RcptParameters(null, null);

  /** True when a parameter was given. */
  public boolean usesDsn() {
    return notifyOn != null || orcpt != null;
  }
}
