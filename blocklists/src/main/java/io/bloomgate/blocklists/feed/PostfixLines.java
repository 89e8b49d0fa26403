package io.bloomgate.blocklists.feed;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The logical lines of a Postfix table, {@code postconf(5)}: a line that begins with a blank
 * continues the one before; empty lines and lines that begin with {@code #} stand outside of both.
 * Used by the parsers of such tables, on their thread.
 */
final class PostfixLines {

  private PostfixLines() {}

  /** Takes a logical line without blanks at its ends, and the number of its first line. */
  @FunctionalInterface
  interface Lines {
    void line(String text, int number);
  }

  private record Logical(String text, int line) {

    Logical joined(String next) {
      // An action's text may be long; its beginning is all that is read.
      return text.length() + next.length() > FeedLimits.LINE_OCTETS
          ? this
          : new Logical(text + next, line);
    }
  }

  /**
   * Reads a text to its end.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, Lines handler) throws IOException {
    FeedLines lines = new FeedLines(text);
    @Nullable Logical pending = null;
    while (lines.next()) {
      run.lines(lines.number());
      String line = Octets.decode(lines.octets(), lines.from(), lines.to());
      String content = line.strip();
      if (lines.overlong()) {
        run.overlong(lines);
      } else if (!content.isEmpty() && !content.startsWith("#")) {
        if (Character.isWhitespace(line.charAt(0)) && pending != null) {
          pending = pending.joined(line);
        } else {
          flush(pending, handler);
          pending = new Logical(line, lines.number());
        }
      }
    }
    flush(pending, handler);
  }

  private static void flush(@Nullable Logical logical, Lines handler) {
    if (logical != null) {
      handler.line(logical.text.strip(), logical.line);
    }
  }
}
