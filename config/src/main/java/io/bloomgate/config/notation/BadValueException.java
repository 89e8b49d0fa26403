package io.bloomgate.config.notation;

/**
 * A text is not a value of its kind. Carries what is wrong and how to fix it. The value readers of
 * this package throw it; {@code Section} makes a {@code Problem} with a place of it, the command
 * line a usage error.
 */
public final class BadValueException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String problem;
  private final String hint;

  /** Joins the problem and the way to fix it. Texts from outside must already be escaped. */
  public BadValueException(String problem, String hint) {
    super(problem + "; " + hint);
    this.problem = problem;
    this.hint = hint;
  }

  /** The same about a text from outside, which is put in front of the problem. */
  public static BadValueException of(String text, String problem, String hint) {
    return new BadValueException(Shown.quoted(text) + " " + problem, hint);
  }

  /** The problem, in words. */
  public String problem() {
    return problem;
  }

  /** The way to fix it, in words. */
  public String hint() {
    return hint;
  }
}
