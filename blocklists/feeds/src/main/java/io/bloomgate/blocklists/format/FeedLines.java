package io.bloomgate.blocklists.format;

import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.blocklists.format.octets.Octets;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts a text into lines at LF, CR LF or CR without making strings. Made by a parser for one text,
 * used on its thread.
 *
 * <p>A line is the octets {@link #from} to {@link #to} of {@link #octets}, valid until the next
 * call of {@link #next}. Of a line above {@link FeedLimits#LINE_OCTETS} the beginning is kept and
 * the rest is read over, so that one endless line costs a bounded buffer.
 */
final class FeedLines {

  private static final int BUFFER_OCTETS = 1 << 16;

  private final InputStream text;
  private byte[] buffer = new byte[BUFFER_OCTETS];
  private int position;
  private int limit;
  private boolean ended;
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
     * @param number counted from 1
     */
    void line(ParseRun run, byte[] text, int from, int to, int number);
  }

  /**
   * Reads a text to its end for the parsers that look at one line at a time: blanks at both ends
   * are off, empty lines left out, lines above the limit reported.
   *
   * @throws IOException only when {@code text} throws it
   */
  static void read(InputStream text, ParseRun run, Lines handler) throws IOException {
    FeedLines lines = new FeedLines(text);
    while (lines.next()) {
      run.lines(lines.number);
      int from = Octets.skipBlanks(lines.buffer, lines.from, lines.to);
      int to = Octets.trimEnd(lines.buffer, from, lines.to);
      if (lines.overlong) {
        run.overlong(lines);
      } else if (from < to) {
        handler.line(run, lines.buffer, from, to, lines.number);
      }
    }
  }

  /** Moves to the next line; false at the end of the text. */
  boolean next() throws IOException {
    overlong = false;
    from = position;
    int at = position;
    while (true) {
      at = lineEnd(at);
      if (at < limit) {
        return finish(at);
      }
      if (at - from > FeedLimits.LINE_OCTETS) {
        return skipRest();
      }
      int moved = from;
      boolean more = fill();
      at -= moved - from;
      if (!more) {
        return lastLine(at);
      }
    }
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

  private boolean finish(int end) throws IOException {
    to = end;
    number++;
    overlong = to - from > FeedLimits.LINE_OCTETS;
    position = end + 1;
    if (buffer[end] == '\r') {
      skipLineFeed();
    }
    return true;
  }

  /** CR LF is one line end, also where a buffer ends between the two. */
  private void skipLineFeed() throws IOException {
    if (position == limit) {
      int kept = from;
      fill();
      to -= kept - from;
    }
    if (position < limit && buffer[position] == '\n') {
      position++;
    }
  }

  private boolean lastLine(int end) {
    to = end;
    position = end;
    if (from == end) {
      return false;
    }
    number++;
    overlong = to - from > FeedLimits.LINE_OCTETS;
    return true;
  }

  private boolean skipRest() throws IOException {
    to = from + FeedLimits.LINE_OCTETS;
    byte[] beginning = Arrays.copyOfRange(buffer, from, to);
    while (true) {
      position = limit;
      from = limit;
      if (!fill()) {
        break;
      }
      int at = lineEnd(position);
      if (at < limit) {
        position = at + 1;
        if (buffer[at] == '\r') {
          from = position;
          skipLineFeed();
        }
        break;
      }
    }
    return keep(beginning);
  }

  private boolean keep(byte[] beginning) {
    // The octets that were read on stay after the kept beginning of the line.
    int rest = limit - position;
    byte[] joined = new byte[Math.max(BUFFER_OCTETS, beginning.length + rest + BUFFER_OCTETS)];
    System.arraycopy(beginning, 0, joined, 0, beginning.length);
    System.arraycopy(buffer, position, joined, beginning.length, rest);
    buffer = joined;
    from = 0;
    to = beginning.length;
    position = to;
    limit = to + rest;
    number++;
    overlong = true;
    return true;
  }

  /** Reads on; what is kept of the buffer begins at {@code from}, which moves to 0. */
  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
      limit -= from;
      position -= from;
      from = 0;
    }
    if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int read = text.read(buffer, limit, buffer.length - limit);
    if (read < 0) {
      ended = true;
      return false;
    }
    limit += read;
    return true;
  }

  /** The octets that the line lies in; not to be changed or kept. */
  byte[] octets() {
    return buffer;
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
