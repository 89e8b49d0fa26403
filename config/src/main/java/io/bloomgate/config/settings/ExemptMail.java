package io.bloomgate.config.settings;

/**
 * Says how a mail for both kinds of recipients is handled, those that feeds never refuse and
 * others: {@code policy.exempt_mail}. Read by sessions on their threads.
 */
public enum ExemptMail {
  /** Each kind gets the mail in a separate transaction, where the content may refuse it. */
  APART,
  /** The mail has one answer, and its content does no more than tag it. */
  TOGETHER
}
