package io.bloomgate.gateway.demo;

/** The demo cannot be shown: one line, and its exit code. */
public final class DemoException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** Makes the error with the line to show. */
  public DemoException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The process's exit code. */
  public int exitCode() {
    return exitCode;
  }
}
