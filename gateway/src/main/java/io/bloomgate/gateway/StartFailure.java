package io.bloomgate.gateway;

import java.util.List;

/**
 * The gateway cannot start: the lines for standard error, and the exit code of contract, section 1.
 */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** Not permitted: a file, a directory or a port. */
  static final int PERMISSION = 5;

  /** An address cannot be bound now; a later start may succeed (EX_TEMPFAIL of sysexits.h). */
  static final int TRY_AGAIN = 75;

  /** Bad configuration, or a second gateway on the same state (EX_CONFIG of sysexits.h). */
  static final int CONFIGURATION = 78;

  private final int exitCode;
  private final transient List<String> lines;

  /** A failure with its lines. */
  StartFailure(int exitCode, List<String> lines) {
    super(String.join("\n", lines));
    this.exitCode = exitCode;
    this.lines = List.copyOf(lines);
  }

  /** A failure of one line with its cause. */
  StartFailure(int exitCode, String line, Throwable cause) {
    super(line, cause);
    this.exitCode = exitCode;
    this.lines = List.of(line);
  }

  /** The process's exit code. */
  public int exitCode() {
    return exitCode;
  }

  /** The lines for standard error. */
  public List<String> lines() {
    return lines;
  }
}
