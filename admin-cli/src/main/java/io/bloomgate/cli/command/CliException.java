package io.bloomgate.cli.command;

import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.config.control.ControlClient.ControlException;

/** A command cannot be carried out: exit code, what is wrong and where, how to fix it. */
public final class CliException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final String problem;
  private final String hint;

  public CliException(int exitCode, String problem, String hint) {
    super(problem);
    this.exitCode = exitCode;
    this.problem = problem;
    this.hint = hint;
  }

  public CliException(int exitCode, String problem, String hint, Throwable cause) {
    super(problem, cause);
    this.exitCode = exitCode;
    this.problem = problem;
    this.hint = hint;
  }

  /** The command line makes no sense. */
  public static CliException usage(String problem, String hint) {
    return new CliException(ExitCode.USAGE, problem, hint);
  }

  /** Refuses a command line that makes no sense. */
  public static void refuseIf(boolean senseless, String problem, String hint) throws CliException {
    if (senseless) {
      throw usage(problem, hint);
    }
  }

  /** Refuses more than one of options that exclude each other. */
  public static void onlyOne(String options, boolean... given) throws CliException {
    int count = 0;
    for (boolean one : given) {
      count += one ? 1 : 0;
    }
    refuseIf(count > 1, options + " exclude each other", "give one of them");
  }

  /** The work failed, or there is nothing that it could be done with. */
  public static CliException no(String problem, String hint) {
    return new CliException(ExitCode.NO, problem, hint);
  }

  /** The same with its cause. */
  public static CliException no(String problem, String hint, Throwable cause) {
    return new CliException(ExitCode.NO, problem, hint, cause);
  }

  /**
   * Work on filter files failed.
   *
   * @param question true where exit code 1 is an answer: that there is none is another code, as it
   *     is for grep and diff, so that a script never takes a broken file for a no
   */
  public static CliException of(OfflineException e, boolean question) {
    int exitCode =
        switch (e.kind()) {
          case USAGE -> ExitCode.USAGE;
          case FAILED, DAMAGED -> question ? ExitCode.USAGE : ExitCode.NO;
          case FORBIDDEN -> ExitCode.PERMISSION;
        };
    return new CliException(exitCode, e.problem(), e.hint(), e);
  }

  /** Makes the error of a gateway that gave no answer. */
  public static CliException of(ControlException e) {
    int exitCode =
        switch (e.kind()) {
          case NO_GATEWAY, LOST -> ExitCode.UNREACHABLE;
          case FORBIDDEN -> ExitCode.PERMISSION;
          case TOO_LONG -> ExitCode.USAGE;
        };
    return new CliException(exitCode, e.problem(), e.hint(), e);
  }

  /** True when nobody listens at the control socket. */
  public boolean isWithoutGateway() {
    return getCause() instanceof ControlException e && e.kind() == ControlException.Kind.NO_GATEWAY;
  }

  public int exitCode() {
    return exitCode;
  }

  String problem() {
    return problem;
  }

  /** The way to fix it; may be empty. */
  String hint() {
    return hint;
  }

  /** One line for a person. */
  public String line() {
    return hint.isEmpty() ? problem : problem + "; " + hint;
  }
}
