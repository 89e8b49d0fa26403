package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderMalfunctionError;
import java.nio.charset.CoderResult;
import org.jspecify.annotations.Nullable;

/**
 * Turns the octets of a text into characters while they pass, whatever the cuts. Used by {@link
 * LeafReader}.
 *
 * <p>ASCII and a text without a charset are read as UTF-8, and an octet that is none of it as
 * Latin-1: both are what mail clients find in such texts. Latin-1 is read as windows-1252, as
 * browsers do. Any other charset of the JDK is read by its decoder.
 */
final class TextDecoder {

  /** Characters of a body that are handed on at once. */
  static final int BODY = 256;

  private static final int MOST_REST = 64;

  /**
   * Octets of a text that its charset does not have. One with more is no text of that charset, and
   * a decoder of the JDK takes long over each; the rest is read as ASCII.
   */
  static final int MOST_UNREADABLE = 16 * 1024;

  /** Octets for which {@link AsciiRuns} are worth their objects; an encoded word has fewer. */
  private static final int LEAST_AT_ONCE = 48;

  private static final ByteBuffer NO_REST = ByteBuffer.allocate(0);
  private static final char UNREADABLE = '\ufffd';

  private final CharSink sink;
  private final char[] out;
  private int used;

  /** Null for UTF-8. */
  private @Nullable CharsetDecoder decoder;

  /** An octet that is no UTF-8 becomes the Latin-1 character. */
  private boolean lenient;

  /** The first octets, which may be a byte order mark; and how many there are, -1 behind them. */
  private final byte[] first = new byte[2];

  private int firstLength;

  /** Reads UTF-7; {@code null} for any other charset. */
  private @Nullable Utf7 seven;

  /** Octets that are 0 are left out. */
  private boolean withoutZeros;

  private byte[] notZero = Octets.NONE;

  // UTF-8: the open character
  private int point;
  private int missing;
  private int octetsSeen;
  private final byte[] seen = new byte[4];

  private @Nullable AsciiRuns runs;

  /** Octets that a decoder of the JDK left for the next piece. */
  private ByteBuffer rest = NO_REST;

  private int unreadable;

  /**
   * A decoder.
   *
   * @param most characters that are handed on at once
   */
  TextDecoder(CharSink sink, int most) {
    this.sink = sink;
    this.out = new char[most];
  }

  /**
   * Begins a text.
   *
   * @return false when the charset is unknown, and Latin-1 is taken instead
   */
  boolean start(@Nullable String name) {
    used = 0;
    missing = 0;
    octetsSeen = 0;
    firstLength = 0;
    rest.clear();
    unreadable = 0;
    withoutZeros = false;
    Charset charset = name == null ? US_ASCII : CharsetNames.common(name);
    seven = null;
    if (name != null && charset == null) {
      if (CharsetNames.isSeven(name)) {
        seven = new Utf7(sink);
        decoder = null;
        firstLength = -1;
        return true;
      }
      charset = CharsetNames.find(name);
    }
    lenient = US_ASCII.equals(charset);
    decoder = lenient || UTF_8.equals(charset) ? null : decoder(charset);
    return charset != null;
  }

  /**
   * Begins a text of which only ASCII matters, whatever its charset: many mail clients do not know
   * EBCDIC, UTF-7 and the like (encoding.spec.whatwg.org), and show ASCII as what it is. Of ASCII
   * in two or four octets the zeros are left out.
   */
  void startPlainly() {
    start(null);
    firstLength = -1;
    withoutZeros = true;
  }

  private static CharsetDecoder decoder(@Nullable Charset charset) {
    return (charset == null || ISO_8859_1.equals(charset) ? CharsetNames.WINDOWS : charset)
        .newDecoder(); // which reports what it cannot read
  }

  /** True when the charset of the text was given up, see {@link #MOST_UNREADABLE}. */
  boolean isGivenUp() {
    return unreadable > MOST_UNREADABLE;
  }

  /** Takes the next octets; some of their characters may wait for more. */
  void put(byte[] octets, int from, int to) {
    int i = from;
    while (firstLength >= 0 && i < to) {
      first[firstLength++] = octets[i++];
      if (firstLength == first.length) {
        byteOrder();
      }
    }
    all(octets, i, to);
  }

  /**
   * A byte order mark counts more than the name of the charset, and UTF-16 without one is little
   * endian, as browsers and mail clients read it (encoding.spec.whatwg.org); RFC 2781 says big.
   */
  private void byteOrder() {
    int mark = ((first[0] & 0xff) << 8) | (first[1] & 0xff);
    CharsetDecoder other = decoder;
    if (mark == 0xfffe) {
      decoder = decoder(UTF_16LE);
    } else if (mark == 0xfeff) {
      decoder = decoder(UTF_16BE);
    } else if (other != null && UTF_16.equals(other.charset()) && first[0] != 0) {
      decoder = decoder(UTF_16LE);
    }
    firstOctets();
  }

  private void firstOctets() {
    int length = firstLength;
    firstLength = -1;
    all(first, 0, length);
  }

  private void all(byte[] octets, int from, int to) {
    Utf7 reader = seven;
    if (reader != null) {
      reader.put(octets, from, to);
      return;
    }
    if (isGivenUp()) {
      decoder = null;
    }
    CharsetDecoder other = decoder;
    if (withoutZeros) {
      withoutZeros(octets, from, to);
    } else if (other == null) {
      utf8(octets, from, to);
    } else {
      decode(other, octets, from, to);
    }
  }

  /** Ends the text. */
  void end() {
    if (firstLength > 0) {
      firstOctets();
    }
    CharsetDecoder other = decoder;
    if (other == null) {
      broken();
    } else {
      rest.flip();
      drain(other, rest, true);
      rest.clear();
      flush(); // so that there is room for what the decoder still has
      CharBuffer chars = CharBuffer.wrap(out, used, out.length - used);
      other.flush(chars);
      used = chars.position();
    }
    flush();
  }

  private void withoutZeros(byte[] octets, int from, int to) {
    notZero = Octets.room(notZero, to - from);
    int length = 0;
    for (int i = from; i < to; i++) {
      notZero[length] = octets[i];
      length += octets[i] == 0 ? 0 : 1;
    }
    utf8(notZero, 0, length);
  }

  private void utf8(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      int octet = octets[i];
      if (missing == 0 && octet >= 0) {
        i = ascii(octets, i, to);
      } else if (missing == 0 && isPair(octets, i, to)) {
        write((char) ((octet & 0x1f) << 6 | (octets[i + 1] & 0x3f)));
        i += 2;
      } else {
        i++;
        octet(octet & 0xff);
      }
    }
  }

  /** True for a whole character of two octets, as most beside ASCII in texts of Europe. */
  private static boolean isPair(byte[] octets, int at, int to) {
    int lead = octets[at] & 0xff;
    return lead >= 0xc2 && lead < 0xe0 && at + 1 < to && (octets[at + 1] & 0xc0) == 0x80;
  }

  private int ascii(byte[] octets, int from, int to) {
    int i = from;
    while (i < to) {
      int last = Math.min(to, i + out.length - used);
      int end = widen(octets, i, last);
      used += end - i;
      i = end;
      if (end < last) {
        return end;
      }
      flush();
    }
    return i;
  }

  /** Writes characters up to an octet that is none of ASCII; returns where it is, or the end. */
  private int widen(byte[] octets, int from, int to) {
    if (to - from >= LEAST_AT_ONCE) {
      AsciiRuns of = runs == null ? new AsciiRuns(out) : runs;
      runs = of;
      return of.widen(octets, from, to, used);
    }
    int gap = used - from;
    int i = from;
    for (; i < to && octets[i] >= 0; i++) {
      out[gap + i] = (char) octets[i];
    }
    return i;
  }

  private void octet(int octet) {
    if (missing > 0) {
      if ((octet & 0xc0) == 0x80 && isAllowed(octet)) {
        seen[octetsSeen++] = (byte) octet;
        point = (point << 6) | (octet & 0x3f);
        if (--missing == 0) {
          octetsSeen = 0;
          point(point);
        }
        return;
      }
      broken();
    }
    if (octet < 0x80) {
      write((char) octet);
    } else if (octet >= 0xc2 && octet <= 0xf4) {
      missing = octet >= 0xf0 ? 3 : octet >= 0xe0 ? 2 : 1;
      point = octet & (0x3f >> missing);
      seen[0] = (byte) octet;
      octetsSeen = 1;
    } else {
      write(lenient ? (char) octet : UNREADABLE);
    }
  }

  /** No second octet of a longer form than needed, of a surrogate, or beyond U+10FFFF. */
  private boolean isAllowed(int octet) {
    if (octetsSeen > 1) {
      return true;
    }
    return switch (seen[0] & 0xff) {
      case 0xe0 -> octet >= 0xa0;
      case 0xed -> octet < 0xa0;
      case 0xf0 -> octet >= 0x90;
      case 0xf4 -> octet < 0x90;
      default -> true;
    };
  }

  /** The open character goes no further. */
  private void broken() {
    if (missing > 0) {
      if (lenient) {
        for (int i = 0; i < octetsSeen; i++) {
          write((char) (seen[i] & 0xff));
        }
      } else {
        write(UNREADABLE);
      }
      missing = 0;
      octetsSeen = 0;
    }
  }

  private void point(int now) {
    if (now < 0x10000) {
      write((char) now);
    } else {
      write(Character.highSurrogate(now));
      write(Character.lowSurrogate(now));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the one that is shared and has no room
  private void decode(CharsetDecoder by, byte[] octets, int from, int to) {
    rest = rest == NO_REST ? ByteBuffer.allocate(MOST_REST) : rest;
    int i = from;
    while (rest.position() > 0 && i < to) {
      rest.put(octets[i++]);
      rest.flip();
      drain(by, rest, false);
      if (rest.remaining() == rest.capacity()) {
        rest.position(rest.limit()); // no character has that many octets
      }
      rest.compact();
    }
    if (i < to) {
      ByteBuffer in = ByteBuffer.wrap(octets, i, to - i);
      drain(by, in, false);
      while (in.hasRemaining() && rest.hasRemaining()) {
        rest.put(in.get());
      }
    }
  }

  private void drain(CharsetDecoder by, ByteBuffer in, boolean last) {
    while (true) {
      CharBuffer chars = CharBuffer.wrap(out, used, out.length - used);
      CoderResult result;
      try {
        result = by.decode(in, chars, last);
      } catch (CoderMalfunctionError e) {
        in.position(in.limit()); // a decoder of the JDK that fails at this text: the piece is lost
        return;
      }
      used = chars.position();
      if (result.isError()) {
        in.position(in.position() + result.length());
        write(UNREADABLE);
        unreadable++;
      } else if (result.isUnderflow()) {
        break;
      } else {
        flush();
      }
    }
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
