package io.bloomgate.blocklists.operator;

import java.io.Serial;

/**
 * The operator lists could not be read or written; nothing was changed. The message is for the log;
 * {@link #userMessage} and {@link #hint} are for the person who asked.
 */
public final class OperatorListsException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final String userMessage;
  private final String hint;

  /** A failure with both texts and its cause. */
  OperatorListsException(String userMessage, String hint, String log, Throwable cause) {
    super(log, cause);
    this.userMessage = userMessage;
    this.hint = hint;
  }

  /** A failure found by ourselves. */
  OperatorListsException(String userMessage, String hint) {
    super(userMessage);
    this.userMessage = userMessage;
    this.hint = hint;
  }

  /** What is wrong and where. */
  public String userMessage() {
    return userMessage;
  }

  /** How to mend it. */
  public String hint() {
    return hint;
  }
}
