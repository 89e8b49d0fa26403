package io.bloomgate.gateway;

import java.nio.file.AccessDeniedException;
import java.util.List;

/** The gateway cannot start: the lines for standard error, and its exit code. */
public final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** Not permitted: a file, a directory or a port. */
  static final int PERMISSION = 5;

  /** Exit code where no setting helps: an address, a disk, a database (sysexits.h: EX_TEMPFAIL). */
  static final int TRY_AGAIN = 75;

  /**
   * Exit code of a failure that other settings cure: bad ones, or a second gateway on the same
   * state (EX_CONFIG of sysexits.h).
   */
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

  /** A part of the state that cannot be used: its owner, or the disk, has to change. */
  static StartFailure ofState(String line, Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof AccessDeniedException) {
        return new StartFailure(PERMISSION, line, cause);
      }
    }
    return new StartFailure(TRY_AGAIN, line, cause);
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
