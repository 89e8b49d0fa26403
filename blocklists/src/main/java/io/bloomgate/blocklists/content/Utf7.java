package io.bloomgate.blocklists.content;

/**
 * Turns octets of UTF-7 (RFC 2152) into characters while they pass: mail clients read it, the JDK
 * does not. Used by {@link TextDecoder}.
 */
final class Utf7 {

  private final CharSink sink;
  private final char[] out = new char[TextDecoder.BODY];
  private int used;

  /** Inside {@code +...-}. */
  private boolean shifted;

  private boolean empty;
  private int bits;
  private int bitCount;

  Utf7(CharSink sink) {
    this.sink = sink;
  }

  /** Takes the next octets. */
  void put(byte[] octets, int from, int to) {
    for (int i = from; i < to; i++) {
      octet((char) (octets[i] & 0xff));
    }
    flush();
  }

  private void octet(char c) {
    if (!shifted) {
      if (c == '+') {
        shifted = true;
        empty = true;
        bits = 0;
        bitCount = 0;
      } else {
        write(c);
      }
      return;
    }
    int sixtet = sixtet(c);
    if (sixtet < 0) {
      shifted = false;
      if (c != '-') {
        write(c);
      } else if (empty) {
        write('+');
      }
      return;
    }
    empty = false;
    bits = (bits << 6) | sixtet;
    bitCount += 6;
    if (bitCount >= Character.SIZE) {
      bitCount -= Character.SIZE;
      write((char) (bits >>> bitCount));
      bits &= (1 << bitCount) - 1;
    }
  }

  private static int sixtet(char c) {
    if (c >= 'A' && c <= 'Z') {
      return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
      return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
      return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  }

  private void write(char c) {
    if (used == out.length) {
      flush();
    }
    out[used++] = c;
  }

  private void flush() {
    if (used > 0) {
      int all = used;
      used = 0;
      sink.put(out, 0, all);
    }
  }
}
