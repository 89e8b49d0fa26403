package io.bloomgate.blocklists.workbench;

import java.io.Serial;

/**
 * Work on a filter cannot be done. Both texts are for the caller's terminal, may hold names of
 * files, and are escaped where they are printed.
 */
public final class OfflineException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** The kind of trouble. */
  public enum Kind {
    /** The request makes no sense. */
    USAGE,
    /** A file is not there or no list, or the work failed. */
    FAILED,
    /** A filter file is not what was written, or is none. */
    DAMAGED,
    /** The operating system forbids it. */
    FORBIDDEN
  }

  private final Kind kind;
  private final String hint;

  /** A problem that no other exception caused. */
  public OfflineException(Kind kind, String problem, String hint) {
    super(problem);
    this.kind = kind;
    this.hint = hint;
  }

  /** A problem with its cause. */
  public OfflineException(Kind kind, String problem, String hint, Throwable cause) {
    super(problem, cause);
    this.kind = kind;
    this.hint = hint;
  }

  /** The request makes no sense. */
  public static OfflineException usage(String problem, String hint) {
    return new OfflineException(Kind.USAGE, problem, hint);
  }

  /** Refuses a request that makes no sense. */
  public static void refuseIf(boolean senseless, String problem, String hint)
      throws OfflineException {
    if (senseless) {
      throw usage(problem, hint);
    }
  }

  /** The work failed. */
  static OfflineException failed(String problem, String hint) {
    return new OfflineException(Kind.FAILED, problem, hint);
  }

  /** The same with its cause. */
  public static OfflineException failed(String problem, String hint, Throwable cause) {
    return new OfflineException(Kind.FAILED, problem, hint, cause);
  }

  /** The kind of trouble. */
  public Kind kind() {
    return kind;
  }

  /** The problem and its place. */
  public String problem() {
    return String.valueOf(getMessage());
  }

  /** The advice on how to fix it, or an empty text. */
  public String hint() {
    return hint;
  }
}
