package io.bloomgate.blocklists.format;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a text into lines at LF, CR LF or CR without making strings. Made by a parser for one text,
 * used on its thread.
 *
 * <p>A line is the octets {@link #from} to {@link #to} of {@link #octets}, valid until the next
 * call of {@link #next}. Of a line above {@link FeedLimits#LINE_OCTETS} the beginning is kept and
 * the rest is read over, so that one endless line costs a bounded buffer.
 */
final class FeedLines {

  /** Room for the beginning of a line, and for as much behind it. */
  private static final int BUFFER_OCTETS = 2 * FeedLimits.LINE_OCTETS;

  private final InputStream text;
  private final byte[] buffer = new byte[BUFFER_OCTETS];
  private int position;
  private int limit;
  private boolean ended;

  /** True when the line before ended with CR. */
  private boolean afterReturn;

  private int from;
  private int to;
  private int number;
  private boolean overlong;

  FeedLines(InputStream text) {
    this.text = text;
  }

  /** Takes a line that is not empty. */
  @FunctionalInterface
  interface Lines {

    /**
     * A line.
     *
     * @param text octets that are valid during the call only
     * @param from first octet that is no blank
     * @param to after the last octet that is no blank
     */
    void line(ParseRun run, byte[] text, int from, int to);
  }

  /**
   * Reads a text to its end for the parsers that look at one line at a time: blanks at both ends
   * are off, empty lines left out, lines above the limit reported; {@link ParseRun} knows the line.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, Lines handler) throws IOException {
    FeedLines lines = new FeedLines(text);
    while (lines.next(run)) {
      int from = Octets.skipBlanks(lines.buffer, lines.from, lines.to);
      int to = Octets.trimEnd(lines.buffer, from, lines.to);
      if (from < to) {
        run.at(lines.number, lines.buffer, from, to);
        handler.line(run, lines.buffer, from, to);
      }
    }
  }

  /** The same for the other parsers; lines above the limit are reported and left out here too. */
  boolean next(ParseRun run) throws IOException {
    while (next()) {
      run.lines(number);
      run.at(number, buffer, from, to);
      if (!overlong) {
        return true;
      }
      run.problem("line longer than " + FeedLimits.LINE_OCTETS + " octets");
    }
    return false;
  }

  /** Moves to the next line; false at the end of the text. */
  boolean next() throws IOException {
    overlong = false;
    from = position;
    // CR LF is one line end, also where a buffer ends between the two.
    if (afterReturn && (from < limit || fill()) && buffer[from] == '\n') {
      from++;
    }
    afterReturn = false;
    int at = lineEnd(from);
    while (at == limit) {
      if (limit - from > FeedLimits.LINE_OCTETS) {
        // Of what is read on only its end matters.
        limit = from + FeedLimits.LINE_OCTETS;
        overlong = true;
      }
      int kept = limit - from;
      if (!fill()) {
        position = limit;
        return from < limit && finish(limit);
      }
      at = lineEnd(from + kept);
    }
    position = at + 1;
    afterReturn = buffer[at] == '\r';
    return finish(at);
  }

  /** The first CR or LF from a position on, or {@code limit}. */
  private int lineEnd(int start) {
    byte[] octets = buffer;
    int end = limit;
    int at = start;
    while (at < end && octets[at] != '\n' && octets[at] != '\r') {
      at++;
    }
    return at;
  }

  private boolean finish(int end) {
    overlong |= end - from > FeedLimits.LINE_OCTETS;
    to = Math.min(end, from + FeedLimits.LINE_OCTETS);
    number++;
    return true;
  }

  /** Reads on; what is kept of the buffer begins at {@code from}, which moves to 0. */
  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    System.arraycopy(buffer, from, buffer, 0, limit - from);
    limit -= from;
    from = 0;
    int read = text.read(buffer, limit, buffer.length - limit);
    ended = read < 0;
    limit += Math.max(0, read);
    return !ended;
  }

  /** The octets that the line lies in; not to be changed or kept. */
  byte[] octets() {
    return buffer;
  }

  /** The line as a string. */
  String text() {
    return Octets.decode(buffer, from, to);
  }

  /** First octet of the line. */
  int from() {
    return from;
  }

  /** The end of the line, after its last octet; its line end is not included. */
  int to() {
    return to;
  }

  /** Lines read so far, so the number of this one. */
  int number() {
    return number;
  }

  /** True when the line goes on after {@link #to}. */
  boolean overlong() {
    return overlong;
  }
}
