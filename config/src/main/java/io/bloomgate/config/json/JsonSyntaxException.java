package io.bloomgate.config.json;

/**
 * A text is not JSON, or is beyond one of the limits of {@link Json}. The message is safe to show:
 * it holds a position and our own words, nothing of the text.
 */
public final class JsonSyntaxException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String reason;

  /** A fault at a place; line and column count from 1. */
  public JsonSyntaxException(int line, int column, String reason) {
    super("line " + line + ", column " + column + ": " + reason);
    this.line = line;
    this.column = column;
    this.reason = reason;
  }

  /** The line, counted from 1. */
  public int line() {
    return line;
  }

  /** The column, counted from 1. */
  public int column() {
    return column;
  }

  /** The problem, without its position in the text. */
  public String reason() {
    return reason;
  }
}
