package io.bloomgate.cli.command;

/** The exit code of a command. */
public final class ExitCode {

  /** Yes, or done. */
  public static final int OK = 0;

  /** The answer is no: refused, invalid, held, not ready; or the work failed. */
  public static final int NO = 1;

  /**
   * The command line is wrong, or the command is not in this release; for a question about files
   * whose answer may be no, that there is no answer.
   */
  public static final int USAGE = 2;

  /** No gateway answers. */
  public static final int UNREACHABLE = 3;

  /** Some of it was done. */
  public static final int PARTLY = 4;

  /** The operating system forbids it. */
  public static final int PERMISSION = 5;

  /** The settings cannot be used (EX_CONFIG of sysexits). */
  static final int CONFIG = 78;

  private ExitCode() {}
}
