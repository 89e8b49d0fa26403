package io.bloomgate.blocklists.format;

/**
 * Joins the lines of a Postfix table to logical lines, {@code postconf(5)}: a line that begins with
 * a blank continues the one before; empty lines and lines that begin with {@code #} belong to
 * neither. Made for one text, used on the thread that reads it.
 */
public final class PostfixLines {

  /** Longest logical line, in characters; of an action's text the beginning is enough. */
  public static final int MAX_CHARACTERS = 1 << 16;

  private final Handler handler;
  private final StringBuilder pending = new StringBuilder();
  private int pendingLine;

  /** Takes a logical line without blanks at its ends, and the number of its first line. */
  @FunctionalInterface
  public interface Handler {
    void line(String text, int number);
  }

  /** A joiner that hands logical lines on as soon as they are whole. */
  public PostfixLines(Handler handler) {
    this.handler = handler;
  }

  /** Takes the next line of the text. */
  public void take(String line, int number) {
    String content = line.strip();
    if (content.isEmpty() || content.startsWith("#")) {
      return;
    }
    if (Character.isWhitespace(line.charAt(0)) && !pending.isEmpty()) {
      if (pending.length() + line.length() <= MAX_CHARACTERS) {
        pending.append(line);
      }
      return;
    }
    end();
    pending.append(line);
    pendingLine = number;
  }

  /** Says that the text has ended. */
  public void end() {
    if (!pending.isEmpty()) {
      String text = pending.toString().strip();
      pending.setLength(0);
      handler.line(text, pendingLine);
    }
  }
}
