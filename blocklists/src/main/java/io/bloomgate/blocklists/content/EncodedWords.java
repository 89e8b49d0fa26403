package io.bloomgate.blocklists.content;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the body of an unstructured header field: folded lines, and encoded words of RFC 2047.
 * Takes time in proportion to the field, which mime4j's decoder does not (0.1 s for 16 KiB of
 * {@code =?}), and joins characters that were cut between two words. Used by {@link MailScanner}.
 */
final class EncodedWords {

  private static final int LONGEST_CHARSET = 60;

  /** Octets of a decoded word that are handed on at once; RFC 2047 allows words of 75. */
  private static final int WORD = 80;

  private final TextDecoder decoder = new TextDecoder(this::add, WORD / 2);
  private final TransferDecoder octets = new TransferDecoder(decoder::put, WORD);
  private byte[] plain = Octets.NONE;
  private char[] text = new char[WORD];
  private int length;

  /** The charset of the word that is open, {@code null} for none. */
  private @Nullable String charset;

  private PartHead.Encoding encoding = PartHead.Encoding.IDENTITY;
  private int limit;
  private boolean joins;
  private boolean differs;

  /** Decodes a field; of the text at least its first {@code most} characters. */
  String decode(byte[] field, int from, int to, int most) {
    limit = most;
    joins = false;
    differs = false;
    return all(field, from, to);
  }

  /**
   * The same by readers that join words before they undo the encoding, {@code null} when that is no
   * other text; behind {@link #decode}.
   */
  @Nullable String joined(byte[] field, int from, int to) {
    if (!differs) {
      return null;
    }
    joins = true;
    return all(field, from, to);
  }

  /**
   * Moves the end of a field to its beginning when what was between them is left out, without the
   * pieces of an encoded word or a character there.
   *
   * @param to behind the beginning
   * @param end behind the end, which begins at {@code to}
   * @return behind both
   */
  static int withoutMiddle(byte[] field, int from, int to, int end) {
    int first = to;
    while (first > from && !Boundaries.isBlank(field[first - 1]) && !isWord(field, first, to)) {
      first--;
    }
    int second = to;
    if (isWord(field, first, to)) {
      while (second < end && !Boundaries.isBlank(field[second]) && !isWord(field, second, end)) {
        second++;
      }
    } else {
      first = to;
      while (first > from && (field[first - 1] & 0xc0) == 0x80) {
        first--;
      }
      first -= first > from && (field[first - 1] & 0xc0) == 0xc0 ? 1 : 0;
      while (second < end && (field[second] & 0xc0) == 0x80) {
        second++;
      }
    }
    System.arraycopy(field, second, field, first, end - second);
    return first + end - second;
  }

  private static boolean isWord(byte[] field, int at, int to) {
    return at + 1 < to && field[at] == '=' && field[at + 1] == '?';
  }

  private String all(byte[] field, int from, int to) {
    length = 0;
    charset = null;
    int plainFrom = from;
    int i = from;
    while (i + 1 < to && length < limit) {
      if (field[i] != '=' || field[i + 1] != '?') {
        i++;
        continue;
      }
      int afterCharset = question(field, i + 2, Math.min(to, i + 2 + LONGEST_CHARSET));
      boolean shaped =
          afterCharset > i + 2
              && afterCharset + 2 < to
              && field[afterCharset + 2] == '?'
              && encoding(field[afterCharset + 1]) != PartHead.Encoding.IDENTITY;
      if (!shaped) {
        i++;
        continue;
      }
      int begin = afterCharset + 3;
      int end = ending(field, begin, to);
      if (end < 0) {
        break; // nor has any word behind this one an end
      }
      between(field, plainFrom, i);
      word(field, i + 2, afterCharset, begin, end);
      i = end + 2;
      plainFrom = i;
    }
    if (plainFrom < to) {
      plain(field, plainFrom, to);
    }
    close();
    return new String(text, 0, length);
  }

  private void add(char[] characters, int from, int to) {
    int end = length + to - from;
    if (end > text.length) {
      text = Arrays.copyOf(text, Math.max(end, 2 * text.length));
    }
    System.arraycopy(characters, from, text, length, to - from);
    length = end;
  }

  /** What is between two words: white space alone is none of the text. */
  private void between(byte[] field, int from, int to) {
    boolean blank = Parameters.skipBlanks(field, from, to) == to;
    if (!(blank && charset != null) && from < to) {
      plain(field, from, to);
    }
  }

  private void plain(byte[] field, int from, int to) {
    close();
    plain = Octets.room(plain, to - from);
    int written = 0;
    for (int i = from; i < to; i++) {
      if (field[i] != '\r' && field[i] != '\n') {
        plain[written++] = field[i];
      }
    }
    decoder.start(null);
    decoder.put(plain, 0, written);
    decoder.end();
  }

  private void word(byte[] field, int charsetFrom, int charsetTo, int from, int to) {
    int star = Octets.indexOf((byte) '*', field, charsetFrom, charsetTo);
    String name = CharsetNames.name(field, charsetFrom, star < 0 ? charsetTo : star);
    PartHead.Encoding now = encoding(field[charsetTo + 1]);
    boolean open = octets.isOpen();
    if (!name.equalsIgnoreCase(charset)) {
      close();
      decoder.start(name);
      charset = name;
      octets.start(now);
    } else if (!joins || now != encoding) {
      differs |= open && now == encoding;
      octets.end();
      octets.start(now);
    }
    encoding = now;
    if (encoding == PartHead.Encoding.BASE64) {
      octets.put(field, from, to);
    } else {
      plain = Octets.room(plain, to - from);
      for (int i = from; i < to; i++) {
        plain[i - from] = field[i] == '_' ? (byte) ' ' : field[i];
      }
      octets.put(plain, 0, to - from);
      octets.keepBlanks();
    }
  }

  private void close() {
    if (charset != null) {
      octets.end();
      decoder.end();
      charset = null;
    }
  }

  private static PartHead.Encoding encoding(byte letter) {
    return switch (letter) {
      case 'q', 'Q' -> PartHead.Encoding.QUOTED_PRINTABLE;
      case 'b', 'B' -> PartHead.Encoding.BASE64;
      default -> PartHead.Encoding.IDENTITY;
    };
  }

  private static int question(byte[] field, int from, int to) {
    for (int i = from; i < to; i++) {
      if (field[i] == '?') {
        return i;
      }
      if (Boundaries.isBlank(field[i])) {
        return -1;
      }
    }
    return -1;
  }

  private static int ending(byte[] field, int from, int to) {
    for (int i = from; i + 1 < to; i++) {
      if (field[i] == '?' && field[i + 1] == '=') {
        return i;
      }
    }
    return -1;
  }
}
