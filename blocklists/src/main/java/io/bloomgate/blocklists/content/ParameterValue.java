package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.BitSet;
import org.apache.james.mime4j.stream.ParserCursor;
import org.apache.james.mime4j.stream.RawFieldParser;
import org.apache.james.mime4j.util.ByteArrayBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The value of one parameter, as one reader or another takes it; RFC 2045 section 5.1. Used by
 * {@link Parameters}; pure, any thread.
 *
 * <p>Plain words and plain quoted strings are cut out here. What has comments, escapes or several
 * words goes to mime4j's field parser.
 */
final class ParameterValue {

  private static final BitSet NO_DELIMITER = new BitSet();

  private ParameterValue() {}

  /** The value as it is written, {@code null} for one in quotes; Python's reading. */
  static byte @Nullable [] written(byte[] field, int from, int to) {
    int begin = Parameters.skipBlanks(field, from, to);
    byte[] all = Arrays.copyOfRange(field, begin, Parameters.trimBlanks(field, begin, to));
    boolean bare = all.length > 0 && (all[0] != '"' || all[all.length - 1] != '"');
    return bare ? all : null;
  }

  /** Octets of a value without quotes and quoted pairs; of several bare words the first. */
  static byte[] value(byte[] field, int from, int to) {
    int begin = Parameters.skipBlanks(field, from, to);
    if (begin == to || field[begin] != '"' || Octets.indexOf((byte) '\\', field, begin, to) < 0) {
      return escaped(field, begin, to);
    }
    byte[] fewer = new byte[to - begin];
    int length = 0;
    boolean quoted = false;
    for (int i = begin; i < to; i++) {
      byte octet = field[i];
      if (quoted && octet == '\\' && i + 1 < to) {
        byte next = field[++i];
        if (next == '"' || next == '\\') {
          fewer[length++] = octet; // these are left to mime4j
        }
        octet = next;
      } else if (octet == '"') {
        quoted = !quoted;
      }
      fewer[length++] = octet;
    }
    return escaped(fewer, 0, length);
  }

  /** Like {@link #value}; of quoted pairs only those of a quote and a backslash are read. */
  static byte[] escaped(byte[] field, int from, int to) {
    int begin = Parameters.skipBlanks(field, from, to);
    int end = Parameters.trimBlanks(field, begin, to);
    if (begin == end) {
      return Octets.NONE;
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

  static byte[] odd(byte[] field, int from, int to, boolean token) {
    // mime4j reads UTF-8: a character for each octet, so that all octets come back
    byte[] octets = new String(field, from, to - from, ISO_8859_1).getBytes(UTF_8);
    ByteArrayBuffer buffer = new ByteArrayBuffer(octets, octets.length, false);
    ParserCursor cursor = new ParserCursor(0, octets.length);
    String text =
        token
            ? RawFieldParser.DEFAULT.parseToken(buffer, cursor, NO_DELIMITER)
            : RawFieldParser.DEFAULT.parseValue(buffer, cursor, NO_DELIMITER);
    return text.getBytes(ISO_8859_1);
  }
}
