package io.bloomgate.config.json;

import java.io.IOException;
import java.io.Reader;

/**
 * Hands text on without ever reading past the end of a line, so that a reader with any buffer has
 * seen no more than the current line; and limits how much is read between two elements. Used by
 * {@link JsonArrayReader}; one thread at a time.
 */
final class LineCountingReader extends Reader {

  private static final int BUFFER_LENGTH = 8192;

  private final Reader source;
  private final int maxElementLength;
  private final char[] buffer = new char[BUFFER_LENGTH];
  private int position;
  private int limit;
  private int finishedLines;
  private boolean lastWasNewline;
  private long sinceElement;

  LineCountingReader(Reader source, int maxElementLength) {
    this.source = source;
    this.maxElementLength = maxElementLength;
  }

  /** The line of the last character handed on, counted from 1. */
  int line() {
    return finishedLines + (lastWasNewline ? 0 : 1);
  }

  /** Starts counting for the next element. */
  void elementDone() {
    sinceElement = 0;
  }

  /** Thrown through the library when an element has no end within the limit. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    if (position == limit) {
      limit = source.read(buffer, 0, buffer.length);
      position = 0;
      if (limit <= 0) {
        limit = 0;
        return -1;
      }
    }
    int count = 0;
    lastWasNewline = false;
    while (count < length && position < limit && !lastWasNewline) {
      char c = buffer[position++];
      target[offset + count++] = c;
      lastWasNewline = c == '\n';
    }
    finishedLines += lastWasNewline ? 1 : 0;
    sinceElement += count;
    if (sinceElement > maxElementLength) {
      throw new TooLongException();
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
