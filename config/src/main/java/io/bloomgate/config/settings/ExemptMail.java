package io.bloomgate.config.settings;

/**
 * What happens to a mail for recipients that feeds never refuse and for others: {@code
 * policy.exempt_mail}. Read by sessions on their threads.
 */
public enum ExemptMail {
  /** Where its content may refuse it, each kind gets it in another transaction. */
  APART,
  /** It has one answer, and its content does no more than tag it. */
  TOGETHER
}
