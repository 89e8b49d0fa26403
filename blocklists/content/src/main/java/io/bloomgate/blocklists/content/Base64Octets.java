package io.bloomgate.blocklists.content;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Undoes Base64 as mail programs do (RFC 2045 section 6.8): what is no Base64 is passed over, the
 * padding may be missing or come early. mime4j stops at the first padding, and loses the last
 * octets without it, which hides the end of a link. Used by {@link MimeWalk} for one body.
 */
final class Base64Octets extends InputStream {

  private static final byte NONE = -1;
  private static final byte[] VALUES = values();

  private final InputStream octets;
  private final Runnable broken;
  private final byte[] read = new byte[4 * 1024];
  private int at;
  private int end;
  private int bits;
  private int digits;
  private boolean isPadded;

  /**
   * Reads encoded octets.
   *
   * @param broken called for what is against the rules
   */
  Base64Octets(InputStream octets, Runnable broken) {
    this.octets = octets;
    this.broken = broken;
  }

  private static byte[] values() {
    byte[] values = new byte[256];
    Arrays.fill(values, NONE);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      values[alphabet.charAt(i)] = (byte) i;
    }
    return values;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[3];
    return read(one, 0, one.length) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int to = offset;
    while (to + 3 <= offset + length) {
      if (at == end) {
        if (to > offset) {
          break; // what is there, before a wait for more
        }
        end = Math.max(0, octets.read(read, 0, read.length));
        at = 0;
        if (end == 0) {
          broken(digits > 0);
          to = rest(into, to);
          return to > offset ? to - offset : -1;
        }
      }
      byte octet = read[at++];
      int value = VALUES[octet & 0xff];
      if (value >= 0) {
        broken(isPadded);
        isPadded = false;
        bits = bits << 6 | value;
        if (++digits == 4) {
          to = rest(into, to);
        }
      } else if (octet == '=') {
        to = rest(into, to);
        isPadded = true;
      } else {
        broken(octet > ' ' || octet < 0);
      }
    }
    return to - offset;
  }

  private void broken(boolean is) {
    if (is) {
      broken.run();
    }
  }

  /** Writes the octets of the digits so far. */
  private int rest(byte[] into, int offset) {
    int count = digits * 6 / 8;
    int all = bits << (6 * (4 - digits));
    for (int i = 0; i < count; i++) {
      into[offset + i] = (byte) (all >>> (16 - 8 * i));
    }
    bits = 0;
    digits = 0;
    return offset + count;
  }
}
