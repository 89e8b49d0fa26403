package io.bloomgate.gateway.admin;

/** A request is wrong; nothing was changed. */
final class UsageException extends Exception {
  private static final long serialVersionUID = 1L;
  private final String hint;

  UsageException(String message, String hint) {
    super(message);
    this.hint = hint;
  }

  String reason() {
    return String.valueOf(getMessage());
  }

  String hint() {
    return hint;
  }
}
