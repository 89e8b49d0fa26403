package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of Content-Type and Content-Disposition that say how a part is read: boundary,
 * charset, and whether there is a file name; RFC 2045 section 5.1 and RFC 2231. Used by {@link
 * PartHead}.
 *
 * <p>Values are read by {@link ParameterValue}. Of two parameters of one name the first counts, and
 * a plain one before those of RFC 2231; of boundaries those of other readers are kept as well, also
 * one that is a parameter only for readers that know no quotes and comments.
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

  private byte @Nullable [] boundary;
  private byte @Nullable [] secondBoundary;

  /** The first and the last boundary without regard to quotes and comments. */
  private byte @Nullable [] plainBoundary;

  private byte @Nullable [] lastPlainBoundary;

  /** The first boundary with the backslashes that mime4j leaves in it. */
  private byte @Nullable [] escapedBoundary;

  /** The first boundary as it is written up to the semicolon, as Python reads it. */
  private byte @Nullable [] writtenBoundary;

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
    escapedBoundary = null;
    writtenBoundary = null;
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

  /** What other readers take for the boundary, the likely ones first. */
  List<byte[]> otherBoundaries() {
    List<byte[]> others = new ArrayList<>();
    byte[] first = boundary();
    if (first != null) {
      others.add(first);
      other(others, secondBoundary);
      other(others, together(boundaryPieces));
      other(others, plainBoundary);
      other(others, lastPlainBoundary);
      other(others, escapedBoundary);
      other(others, writtenBoundary);
      others.remove(0);
    }
    return others;
  }

  private static void other(List<byte[]> others, byte @Nullable [] one) {
    if (one == null) {
      return;
    }
    for (byte[] other : others) {
      if (Arrays.equals(one, other)) {
        return;
      }
    }
    others.add(one);
  }

  /** The name of the charset, {@code null} for none. */
  @Nullable String charset() {
    byte[] octets = charset == null ? together(charsetPieces) : charset;
    return octets == null ? null : CharsetNames.name(octets, 0, octets.length);
  }

  /** True when both say the same of how a part is read. */
  boolean isLike(Parameters other) {
    return Arrays.equals(boundary(), other.boundary())
        && otherBoundaries().size() + other.otherBoundaries().size() == 0
        && Objects.equals(charset(), other.charset())
        && joinsLines() == other.joinsLines()
        && named == other.named
        && file() == other.file();
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
  }

  /** Reads the boundary again, as readers do that know no quotes; behind {@link #read}. */
  void plainBoundaries(byte[] field, int from, int to) {
    int begin = from;
    for (int i = from; i <= to; i++) {
      if (i < to && field[i] != ';') {
        continue;
      }
      int name = skipBlanks(field, begin, i);
      int equals = Octets.indexOf((byte) '=', field, name, i);
      if (equals >= 0 && Octets.isLower(field, name, trimBlanks(field, name, equals), BOUNDARY)) {
        byte[] value = limited(ParameterValue.value(field, equals + 1, i));
        lastPlainBoundary = Arrays.equals(value, boundary) ? boundary : value;
        plainBoundary = plainBoundary == null ? lastPlainBoundary : plainBoundary;
        writtenBoundary =
            writtenBoundary == null
                ? ParameterValue.written(field, equals + 1, i)
                : writtenBoundary;
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
      byte[] name = ParameterValue.odd(field, begin, end, true);
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
        byte[] value = limited(ParameterValue.value(field, begin, end));
        if (boundary == null) {
          escapedBoundary = limited(ParameterValue.escaped(field, begin, end));
        } else {
          secondBoundary = value;
        }
        boundary = boundary == null ? value : boundary;
      } else {
        boundaryPieces =
            piece(boundaryPieces, name, star, nameEnd, ParameterValue.value(field, begin, end));
      }
    } else if (Octets.isLower(name, from, to, CHARSET)) {
      if (star < 0) {
        charset = charset == null ? ParameterValue.value(field, begin, end) : charset;
      } else {
        charsetPieces =
            piece(charsetPieces, name, star, nameEnd, ParameterValue.value(field, begin, end));
      }
    } else if (Octets.isLower(name, from, to, FORMAT)) {
      flowed |= is(ParameterValue.value(field, begin, end), FLOWED);
    } else if (Octets.isLower(name, from, to, DELETE_SPACE)) {
      deletesSpaces |= is(ParameterValue.value(field, begin, end), YES);
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
    byte[] value = ParameterValue.value(field, from, to);
    named |= value.length > 0;
    if (whole) {
      file = AttachedFile.first(file, AttachedFile.of(value, words));
      byte[] escaped = ParameterValue.escaped(field, from, to);
      if (!Arrays.equals(escaped, value)) {
        file = AttachedFile.first(file, AttachedFile.of(escaped, words));
      }
    }
    return value;
  }

  private static byte @Nullable [] limited(byte[] boundary) {
    int end = trimBlanks(boundary, 0, boundary.length);
    if (end > Boundaries.MOST_OCTETS) {
      return null;
    }
    return end == boundary.length ? boundary : Arrays.copyOf(boundary, end);
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
