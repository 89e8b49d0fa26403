package io.bloomgate.gateway.demo;

/** The demo cannot be shown: one line, and the exit code of contract, section 1. */
public final class DemoException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** With the line to show. */
  public DemoException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The process's exit code. */
  public int exitCode() {
    return exitCode;
  }
}
