package io.bloomgate.config.control;

/** A line is not of this protocol; stays inside the package. */
final class MalformedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String reason;

  MalformedException(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
