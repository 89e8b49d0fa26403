package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;

/**
 * Goes through a text line by line for the parsers that look at one line at a time: blanks at both
 * ends are off, empty lines left out, lines above the limit reported. Used on the parsing thread.
 */
final class LineLoop {

  private LineLoop() {}

  /** Takes a line that is not empty. */
  @FunctionalInterface
  interface Lines {

    /**
     * A line.
     *
     * @param text octets that are valid during the call only
     * @param from first octet that is no blank
     * @param to after the last octet that is no blank
     * @param number counted from 1
     */
    void line(byte[] text, int from, int to, int number);
  }

  /**
   * Reads a text to its end.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, Lines handler) throws IOException {
    FeedLines lines = new FeedLines(text);
    while (lines.next()) {
      run.lines(lines.number());
      int from = Octets.skipBlanks(lines.octets(), lines.from(), lines.to());
      int to = Octets.trimEnd(lines.octets(), from, lines.to());
      if (lines.overlong()) {
        run.overlong(lines);
      } else if (from < to) {
        handler.line(lines.octets(), from, to, lines.number());
      }
    }
  }
}
