package io.bloomgate.gateway.relay;

import java.io.IOException;
import java.util.Arrays;

/**
 * The way of content octets to the upstream: dots at line starts doubled (RFC 5321 section 4.5.2),
 * gathered into large writes, ended by the lone dot.
 *
 * <p>Used by {@link RelaySession} on one session's thread, one object a message. Octets are never
 * decoded: the writer of commons-net goes character by character, misses a dot on the first line
 * and rewrites line ends.
 */
final class DotStuffingOutput {

  /** Octets gathered before they are written; a message below it goes out in one write. */
  static final int BLOCK_OCTETS = 64 * 1024;

  private static final int FIRST_OCTETS = 8 * 1024;
  private static final byte[] END = {'.', '\r', '\n'};
  private static final byte[] LINE_END = {'\r', '\n'};

  /** Where blocks go. */
  interface Sink {
    /** Writes all of it, in one write. */
    void write(byte[] octets, int offset, int length) throws IOException;
  }

  private final Sink sink;
  private byte[] block = new byte[FIRST_OCTETS];
  private int used;
  // The CRLF behind DATA ends a line: content starts at a line start.
  private byte lastButOne = '\r';
  private byte last = '\n';

  DotStuffingOutput(Sink sink) {
    this.sink = sink;
  }

  /** Takes content in blocks of any size. */
  void write(byte[] octets, int offset, int length) throws IOException {
    int end = offset + length;
    int from = offset;
    for (int i = offset; i < end; i++) {
      // A bare LF never comes here; should it, a receiver that ends lines there is not tricked.
      if (octets[i] == '.' && (i == offset ? last : octets[i - 1]) == '\n') {
        copy(octets, from, i - from);
        put((byte) '.');
        from = i;
      }
    }
    copy(octets, from, end - from);
    if (length > 1) {
      lastButOne = octets[end - 2];
      last = octets[end - 1];
    } else if (length == 1) {
      lastButOne = last;
      last = octets[offset];
    }
  }

  /** Ends the content and writes what is left, in one write where it fits. */
  void finish() throws IOException {
    if (lastButOne != '\r' || last != '\n') {
      copy(LINE_END, 0, LINE_END.length);
    }
    copy(END, 0, END.length);
    flush();
  }

  private void put(byte octet) throws IOException {
    ensureRoom(1);
    block[used++] = octet;
  }

  private void copy(byte[] octets, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, ensureRoom(left));
      System.arraycopy(octets, from, block, used, part);
      used += part;
      from += part;
      left -= part;
    }
  }

  /** Makes room for at least one octet, for {@code wanted} where the bound allows it. */
  private int ensureRoom(int wanted) throws IOException {
    if (used == BLOCK_OCTETS) {
      flush();
    }
    if (block.length - used < wanted && block.length < BLOCK_OCTETS) {
      int size = Math.max(used + Math.min(wanted, BLOCK_OCTETS), block.length * 2);
      block = Arrays.copyOf(block, Math.min(size, BLOCK_OCTETS));
    }
    return block.length - used;
  }

  private void flush() throws IOException {
    if (used > 0) {
      int length = used;
      used = 0;
      sink.write(block, 0, length);
    }
  }
}
