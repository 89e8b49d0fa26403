package io.bloomgate.config.settings;

/**
 * A text is not a value of its kind. Carries what is wrong and how to mend it; thrown by the value
 * readers of this package, turned into a {@link Problem} with its place by {@link Section}, or into
 * a usage error by the command line.
 */
public final class BadValueException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String hint;

  /** What is wrong, and how to mend it. Texts from outside must already be escaped. */
  public BadValueException(String problem, String hint) {
    super(problem + "; " + hint);
    this.problem = problem;
    this.hint = hint;
  }

  /** What is wrong. */
  public String problem() {
    return problem;
  }

  /** How to mend it. */
  public String hint() {
    return hint;
  }
}
