package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Supplier;
import org.apache.james.mime4j.stream.ParserCursor;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of Content-Type and Content-Disposition that say how a part is read: boundary,
 * charset, and whether there is a file name; RFC 2045 section 5.1 and RFC 2231. Used by {@link
 * PartHead}.
 *
 * <p>Plain words and plain quoted strings are cut out here. What has comments, escapes or several
 * words goes to mime4j's field parser. Of two parameters of one name the first counts, and a plain
 * one before those of RFC 2231; of boundaries another one is kept as well, also one that is a
 * parameter only for readers that know no quotes and comments.
 */
final class Parameters {

  /** Pieces of one RFC 2231 parameter that are put together. */
  private static final int MOST_PIECES = 100;

  private static final byte[] BOUNDARY = "boundary".getBytes(ISO_8859_1);
  private static final byte[] CHARSET = "charset".getBytes(ISO_8859_1);
  private static final byte[] NAME = "name".getBytes(ISO_8859_1);
  private static final byte[] FILE_NAME = "filename".getBytes(ISO_8859_1);
  private static final byte[] FORMAT = "format".getBytes(ISO_8859_1);
  private static final byte[] FLOWED = "flowed".getBytes(ISO_8859_1);
  private static final byte[] DELETE_SPACE = "delsp".getBytes(ISO_8859_1);
  private static final byte[] YES = "yes".getBytes(ISO_8859_1);
  private static final BitSet NO_DELIMITER = new BitSet();

  private byte @Nullable [] boundary;
  private byte @Nullable [] secondBoundary;

  /** The first and the last boundary without regard to quotes and comments. */
  private byte @Nullable [] plainBoundary;

  private byte @Nullable [] lastPlainBoundary;
  private byte @Nullable [] charset;
  private boolean named;
  private boolean flowed;
  private boolean deletesSpaces;
  private @Nullable AttachedFile file;
  private byte @Nullable [] @Nullable [] namePieces;
  private byte @Nullable [] @Nullable [] fileNamePieces;
  private byte @Nullable [] @Nullable [] boundaryPieces;
  private byte @Nullable [] @Nullable [] charsetPieces;
  private final Supplier<EncodedWords> words;

  /**
   * None are read yet.
   *
   * @param words of the mail
   */
  Parameters(Supplier<EncodedWords> words) {
    this.words = words;
  }

  /** Forgets everything. */
  void reset() {
    boundary = null;
    secondBoundary = null;
    plainBoundary = null;
    lastPlainBoundary = null;
    charset = null;
    named = false;
    flowed = false;
    deletesSpaces = false;
    file = null;
    namePieces = null;
    fileNamePieces = null;
    boundaryPieces = null;
    charsetPieces = null;
  }

  /** The octets of the boundary, {@code null} for none. */
  byte @Nullable [] boundary() {
    byte[] plain = boundary == null ? together(boundaryPieces) : boundary;
    return plain == null ? plainBoundary : plain;
  }

  /** Another one, {@code null} for none. */
  byte @Nullable [] otherBoundary() {
    byte[] first = boundary();
    byte[] pieces = together(boundaryPieces);
    byte[] other = secondBoundary;
    other = isOther(other, first) ? other : pieces;
    other = isOther(other, first) ? other : plainBoundary;
    other = isOther(other, first) ? other : lastPlainBoundary;
    return isOther(other, first) ? other : null;
  }

  private static boolean isOther(byte @Nullable [] one, byte @Nullable [] first) {
    return one != null && !Arrays.equals(one, first);
  }

  /** The name of the charset, {@code null} for none. */
  @Nullable String charset() {
    byte[] octets = charset == null ? together(charsetPieces) : charset;
    return octets == null ? null : new String(octets, ISO_8859_1);
  }

  /** True when there is a file name. */
  boolean isNamed() {
    return named;
  }

  /** True for {@code format=flowed; delsp=yes} (RFC 3676). */
  boolean joinsLines() {
    return flowed && deletesSpaces;
  }

  /** What the file names say, {@code null} for nothing. */
  @Nullable AttachedFile file() {
    return AttachedFile.first(file, AttachedFile.first(of(namePieces), of(fileNamePieces)));
  }

  private @Nullable AttachedFile of(byte @Nullable [] @Nullable [] pieces) {
    byte[] name = together(pieces);
    return name == null ? null : AttachedFile.of(name, words);
  }

  /** Reads all parameters, each behind a semicolon. */
  void read(byte[] field, int from, int to) {
    int begin = from;
    int equals = -1;
    int comments = 0;
    boolean quoted = false;
    boolean escaped = false;
    for (int i = from; i < to; i++) {
      byte octet = field[i];
      if (escaped) {
        escaped = false;
      } else if (octet == '\\') {
        escaped = quoted || comments > 0;
      } else if (octet == '"') {
        quoted ^= comments == 0;
      } else if (!quoted) {
        if (octet == '(') {
          comments++;
        } else if (octet == ')') {
          comments = Math.max(0, comments - 1);
        } else if (comments == 0 && octet == '=' && equals < 0) {
          equals = i;
        } else if (comments == 0 && octet == ';') {
          parameter(field, begin, equals, i);
          begin = i + 1;
          equals = -1;
        }
      }
    }
    parameter(field, begin, equals, to);
    plainBoundaries(field, from, to);
  }

  private void plainBoundaries(byte[] field, int from, int to) {
    int begin = from;
    for (int i = from; i <= to; i++) {
      if (i < to && field[i] != ';') {
        continue;
      }
      int name = skipBlanks(field, begin, i);
      int equals = Octets.indexOf((byte) '=', field, name, i);
      if (equals >= 0 && Octets.isLower(field, name, trimBlanks(field, name, equals), BOUNDARY)) {
        byte[] value = limited(value(field, equals + 1, i));
        lastPlainBoundary = Arrays.equals(value, boundary) ? boundary : value;
        plainBoundary = plainBoundary == null ? lastPlainBoundary : plainBoundary;
      }
      begin = i + 1;
    }
  }

  private void parameter(byte[] field, int from, int equals, int to) {
    if (equals < 0) {
      return;
    }
    int begin = skipBlanks(field, from, equals);
    int end = trimBlanks(field, begin, equals);
    if (Octets.indexOf((byte) '(', field, begin, end) >= 0) {
      byte[] name = odd(field, begin, end, true);
      named(name, 0, name.length, field, equals + 1, to);
    } else {
      named(field, begin, end, field, equals + 1, to);
    }
  }

  private void named(byte[] name, int from, int nameEnd, byte[] field, int begin, int end) {
    int star = Octets.indexOf((byte) '*', name, from, nameEnd);
    int to = star < 0 ? nameEnd : star;
    if (Octets.isLower(name, from, to, BOUNDARY)) {
      if (star < 0) {
        byte[] value = limited(value(field, begin, end));
        secondBoundary = boundary == null ? secondBoundary : value;
        boundary = boundary == null ? value : boundary;
      } else {
        boundaryPieces = piece(boundaryPieces, name, star, nameEnd, value(field, begin, end));
      }
    } else if (Octets.isLower(name, from, to, CHARSET)) {
      if (star < 0) {
        charset = charset == null ? value(field, begin, end) : charset;
      } else {
        charsetPieces = piece(charsetPieces, name, star, nameEnd, value(field, begin, end));
      }
    } else if (Octets.isLower(name, from, to, FORMAT)) {
      flowed |= is(value(field, begin, end), FLOWED);
    } else if (Octets.isLower(name, from, to, DELETE_SPACE)) {
      deletesSpaces |= is(value(field, begin, end), YES);
    } else if (Octets.isLower(name, from, to, NAME)) {
      byte[] value = fileName(field, begin, end, star < 0);
      namePieces = star < 0 ? namePieces : piece(namePieces, name, star, nameEnd, value);
    } else if (Octets.isLower(name, from, to, FILE_NAME)) {
      byte[] value = fileName(field, begin, end, star < 0);
      fileNamePieces =
          star < 0 ? fileNamePieces : piece(fileNamePieces, name, star, nameEnd, value);
    }
  }

  private static boolean is(byte[] value, byte[] lower) {
    return Octets.isLower(value, 0, value.length, lower);
  }

  private byte[] fileName(byte[] field, int from, int to, boolean whole) {
    byte[] value = value(field, from, to);
    named |= value.length > 0;
    file = whole ? AttachedFile.first(file, AttachedFile.of(value, words)) : file;
    return value;
  }

  private static byte @Nullable [] limited(byte[] boundary) {
    int end = trimBlanks(boundary, 0, boundary.length);
    if (end > Boundaries.MOST_OCTETS) {
      return null;
    }
    return end == boundary.length ? boundary : Arrays.copyOf(boundary, end);
  }

  /** Octets of a value without quotes; of several bare words the first. */
  static byte[] value(byte[] field, int from, int to) {
    int begin = skipBlanks(field, from, to);
    int end = trimBlanks(field, begin, to);
    if (begin == end) {
      return new byte[0];
    }
    boolean quoted = field[begin] == '"';
    int i = quoted ? begin + 1 : begin;
    for (; i < end; i++) {
      byte octet = field[i];
      boolean ends = quoted ? octet == '"' : octet == ' ' || octet == '\t' || octet == '\r';
      if (ends) {
        break;
      }
      if (octet == '\\'
          || octet == '\r'
          || octet == '\n'
          || (!quoted && (octet == '"' || octet == '('))) {
        return odd(field, begin, end, false);
      }
    }
    if (quoted && i < end - 1) {
      return odd(field, begin, end, false);
    }
    return Arrays.copyOfRange(field, quoted ? begin + 1 : begin, i);
  }

  private static byte[] odd(byte[] field, int from, int to, boolean token) {
    ByteArrayBuffer buffer = new ByteArrayBuffer(field, to, false);
    ParserCursor cursor = new ParserCursor(0, to);
    cursor.updatePos(from);
    String text =
        token
            ? RawFieldParser.DEFAULT.parseToken(buffer, cursor, NO_DELIMITER)
            : RawFieldParser.DEFAULT.parseValue(buffer, cursor, NO_DELIMITER);
    return text.getBytes(UTF_8);
  }

  /** Puts a piece in its place: {@code *}, {@code *N} or {@code *N*}. */
  private static byte @Nullable [] @Nullable [] piece(
      byte @Nullable [] @Nullable [] pieces, byte[] name, int star, int end, byte[] value) {
    boolean encoded = name[end - 1] == '*';
    int number = 0;
    for (int i = star + 1; i < end && name[i] >= '0' && name[i] <= '9'; i++) {
      number = Math.min(MOST_PIECES, number * 10 + name[i] - '0');
    }
    byte @Nullable [] @Nullable [] all = pieces == null ? new byte[MOST_PIECES][] : pieces;
    if (number < MOST_PIECES && all[number] == null) {
      all[number] = encoded ? decoded(value, number == 0) : value;
    }
    return all;
  }

  /** Takes the percent signs away; the first piece begins with charset'language'. */
  private static byte[] decoded(byte[] value, boolean first) {
    int from = 0;
    if (first) {
      int quote = Octets.indexOf((byte) '\'', value, 0, value.length);
      int second = quote < 0 ? -1 : Octets.indexOf((byte) '\'', value, quote + 1, value.length);
      from = second + 1;
    }
    byte[] octets = new byte[value.length];
    int length = 0;
    for (int i = from; i < value.length; i++) {
      boolean escape =
          value[i] == '%'
              && i + 2 < value.length
              && Octets.hex(value[i + 1]) >= 0
              && Octets.hex(value[i + 2]) >= 0;
      octets[length++] =
          escape ? (byte) ((Octets.hex(value[i + 1]) << 4) | Octets.hex(value[i + 2])) : value[i];
      i += escape ? 2 : 0;
    }
    return Arrays.copyOf(octets, length);
  }

  private static byte @Nullable [] together(byte @Nullable [] @Nullable [] pieces) {
    if (pieces == null) {
      return null;
    }
    byte[] all = new byte[0];
    for (byte[] piece : pieces) {
      if (piece == null) {
        break;
      }
      int before = all.length;
      all = Arrays.copyOf(all, before + piece.length);
      System.arraycopy(piece, 0, all, before, piece.length);
    }
    return limited(all);
  }

  static int skipBlanks(byte[] octets, int from, int to) {
    int i = from;
    while (i < to && Boundaries.isBlank(octets[i])) {
      i++;
    }
    return i;
  }

  static int trimBlanks(byte[] octets, int from, int to) {
    int i = to;
    while (i > from && Boundaries.isBlank(octets[i - 1])) {
      i--;
    }
    return i;
  }
}
