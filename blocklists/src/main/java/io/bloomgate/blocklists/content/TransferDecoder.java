package io.bloomgate.blocklists.content;

import java.util.Arrays;

/**
 * Undoes Content-Transfer-Encoding while octets pass, whatever the cuts; RFC 2045 section 6. Reads
 * what is broken as mail clients do: foreign octets in base64 are skipped and text behind padding
 * is read on, a bad escape of quoted-printable stays as it is. Used by {@link LeafReader} and
 * {@link EncodedWords}.
 */
final class TransferDecoder {

  /** Octets that are handed on at once from a body in quoted-printable. */
  static final int BODY = 256;

  /** How many times as many of base64: most are of a file, whose hash takes large pieces faster. */
  private static final int BASE64 = 4;

  /** Blanks at the end of a line of quoted-printable that are kept in case the line goes on. */
  private static final int MOST_BLANKS = 1_000;

  private static final int FIRST_BLANKS = 16;

  @SuppressWarnings("MutablePublicArray") // nobody writes to it
  private static final int[] SIXTETS = sixtets();

  private final OctetSink sink;
  private final int most;
  private byte[] out = Octets.NONE;
  private int used;
  private PartHead.Encoding encoding = PartHead.Encoding.IDENTITY;

  // base64: the sixtets of an open group of four
  private int group;
  private int sixtets;

  // quoted-printable
  private byte[] blanks = Octets.NONE;
  private int blankCount;
  private boolean escape;
  private int digit;
  private boolean carriageReturn;

  /**
   * A decoder.
   *
   * @param most octets of quoted-printable that are handed on at once, at least 3
   */
  TransferDecoder(OctetSink sink, int most) {
    this.sink = sink;
    this.most = most;
  }

  private static int[] sixtets() {
    int[] table = new int[256];
    Arrays.fill(table, -1);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < alphabet.length(); i++) {
      table[alphabet.charAt(i)] = i;
    }
    return table;
  }

  /** Begins a body. */
  void start(PartHead.Encoding of) {
    encoding = of;
    group = 0;
    sixtets = 0;
    blankCount = 0;
    escape = false;
    digit = -1;
    carriageReturn = false;
    used = 0;
    out =
        switch (of) {
          case BASE64 -> Octets.room(out, BASE64 * most);
          case QUOTED_PRINTABLE -> Octets.room(out, most);
          case IDENTITY, UNKNOWN -> out;
        };
  }

  /** Takes encoded octets. */
  void put(byte[] octets, int from, int to) {
    switch (encoding) {
      case IDENTITY, UNKNOWN -> sink.put(octets, from, to);
      case BASE64 -> base64(octets, from, to);
      case QUOTED_PRINTABLE -> quotedPrintable(octets, from, to);
    }
  }

  /** True when what comes next may be part of an octet that is not whole. */
  boolean isOpen() {
    return sixtets > 0 || escape;
  }

  /** Blanks so far are none at the end of a line: in a word of RFC 2047 they are underscores. */
  void keepBlanks() {
    if (blankCount > 0 && escape) {
      write('=');
      escape = false;
    }
    release();
  }

  /** Ends the body. */
  void end() {
    if (encoding == PartHead.Encoding.BASE64) {
      endGroup();
    } else if (encoding == PartHead.Encoding.QUOTED_PRINTABLE) {
      if (digit >= 0) {
        literal();
      } else if (carriageReturn && !escape) {
        release();
        write('\r');
      }
    }
    flush();
  }

  private void base64(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      if (sixtets == 0) {
        i = groups(octets, i, to);
        if (i == to) {
          break;
        }
      }
      byte octet = octets[i++];
      int sixtet = SIXTETS[octet & 0xff];
      if (sixtet >= 0) {
        group = (group << 6) | sixtet;
        if (++sixtets == 4) {
          room(3);
          triple(group);
          sixtets = 0;
          group = 0;
        }
      } else if (octet == '=' && sixtets > 1) { // behind one sixtet it ends nothing (Python)
        endGroup();
      }
    }
    flush();
  }

  /** Whole groups of four without anything foreign; returns where that ends. */
  private int groups(byte[] octets, int from, int to) {
    int i = from;
    while (i + 4 <= to) {
      int bits =
          (SIXTETS[octets[i] & 0xff] << 18)
              | (SIXTETS[octets[i + 1] & 0xff] << 12)
              | (SIXTETS[octets[i + 2] & 0xff] << 6)
              | SIXTETS[octets[i + 3] & 0xff];
      if (bits < 0) {
        break;
      }
      room(3);
      triple(bits);
      i += 4;
    }
    return i;
  }

  private void triple(int bits) {
    out[used] = (byte) (bits >> 16);
    out[used + 1] = (byte) (bits >> 8);
    out[used + 2] = (byte) bits;
    used += 3;
  }

  private void endGroup() {
    room(3);
    if (sixtets == 2) {
      out[used++] = (byte) (group >> 4);
    } else if (sixtets == 3) {
      out[used++] = (byte) (group >> 10);
      out[used++] = (byte) (group >> 2);
    }
    sixtets = 0;
    group = 0;
  }

  private void quotedPrintable(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      byte octet = octets[i];
      if (escape) {
        i = escaped(octets, i);
      } else if (carriageReturn) {
        carriageReturn = false;
        if (octet == '\n') {
          blankCount = 0;
          write('\r');
          write('\n');
          i++;
        } else {
          release();
          write('\r');
        }
      } else if (octet == '=') {
        release();
        escape = true;
        digit = -1;
        i++;
      } else if (octet == '\r') {
        carriageReturn = true;
        i++;
      } else if (octet == '\n') {
        blankCount = 0;
        write('\n');
        i++;
      } else if (octet == ' ' || octet == '\t') {
        blank(octet);
        i++;
      } else {
        release();
        i = plain(octets, i, to);
      }
    }
    flush();
  }

  /**
   * Reads lines and escapes that are whole; up to blanks that may be the last of their line, or to
   * what is no escape. Returns where to go on, one octet after the other.
   */
  private int plain(byte[] octets, int from, int to) {
    int begin = from;
    int next = from;
    while (true) {
      int end = Octets.escapeOrLineFeed(octets, next, to);
      int value = escaped(octets, end, to);
      if (value >= 0) {
        copy(octets, begin, end);
        do { // a character beside ASCII has several
          write((byte) value);
          end += 3;
          value = escaped(octets, end, to);
        } while (value >= 0);
        next = end;
        begin = end;
        continue;
      }
      boolean escape = end < to && octets[end] == '=';
      next = end == to ? end : escape ? behindSoftBreak(octets, end, to) : end + 1;
      int text = escape ? end : withoutBlanks(octets, begin, end);
      if (next == end) {
        copy(octets, begin, text);
        return text;
      }
      if (escape) {
        copy(octets, begin, end);
        begin = next;
      } else if (text < end && isBlank(octets[text])) {
        copy(octets, begin, text);
        begin = octets[end - 1] == '\r' ? end - 1 : end;
      }
    }
  }

  /** The octet that is escaped here, negative for none. */
  private static int escaped(byte[] octets, int at, int to) {
    return at + 2 < to && octets[at] == '='
        ? (Octets.hex(octets[at + 1]) << 4) | Octets.hex(octets[at + 2])
        : -1;
  }

  /** In front of a carriage return at the end, and of blanks there. */
  private static int withoutBlanks(byte[] octets, int from, int to) {
    int end = to > from && octets[to - 1] == '\r' ? to - 1 : to;
    while (end > from && isBlank(octets[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isBlank(byte octet) {
    return octet == ' ' || octet == '\t';
  }

  /** Behind a soft line break; where it begins when it is none or not whole. */
  private static int behindSoftBreak(byte[] octets, int at, int to) {
    int end = at + 1;
    end += end < to && octets[end] == '\r' ? 1 : 0;
    return end < to && octets[end] == '\n' ? end + 1 : at;
  }

  /** Behind an equals sign. Returns where to go on. */
  private int escaped(byte[] octets, int i) {
    byte octet = octets[i];
    if (digit >= 0) {
      int second = Octets.hex(octet);
      if (second >= 0) {
        write((byte) ((Octets.hex(digit) << 4) | second));
        escape = false;
        digit = -1;
        return i + 1;
      }
      literal();
      return i;
    }
    if (octet == '\n') {
      escape = false;
      carriageReturn = false;
      blankCount = 0;
      return i + 1;
    }
    if (carriageReturn) {
      write('=');
      release();
      escape = false; // the carriage return is looked at again
      return i;
    }
    if (octet == '\r') {
      carriageReturn = true;
      return i + 1;
    }
    if (octet == ' ' || octet == '\t') {
      if (blankCount == MOST_BLANKS) {
        write('=');
        escape = false;
        return i;
      }
      blank(octet);
      return i + 1;
    }
    if (blankCount == 0 && Octets.hex(octet) >= 0) {
      digit = octet;
      return i + 1;
    }
    write('=');
    release();
    escape = false;
    return i;
  }

  /** An equals sign and a digit that were no escape. */
  private void literal() {
    write('=');
    write((byte) digit);
    escape = false;
    digit = -1;
  }

  private void blank(byte octet) {
    if (blankCount == MOST_BLANKS) {
      release();
    }
    if (blankCount == blanks.length) {
      blanks = Arrays.copyOf(blanks, Math.max(FIRST_BLANKS, blankCount * 2));
    }
    blanks[blankCount++] = octet;
  }

  private void release() {
    for (int i = 0; i < blankCount; i++) {
      write(blanks[i]);
    }
    blankCount = 0;
  }

  private void write(char octet) {
    write((byte) octet);
  }

  private void write(byte octet) {
    if (used == out.length) {
      flush();
    }
    out[used++] = octet;
  }

  private void copy(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      if (used == out.length) {
        flush();
      }
      int length = Math.min(to - i, out.length - used);
      System.arraycopy(octets, i, out, used, length);
      used += length;
      i += length;
    }
  }

  private void room(int octets) {
    if (used + octets > out.length) {
      flush();
    }
  }

  private void flush() {
    if (used > 0) {
      int all = used;
      used = 0;
      sink.put(out, 0, all);
    }
  }
}
