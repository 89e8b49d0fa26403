package io.bloomgate.blocklists.format;

/**
 * Says which kinds of octets a piece of a line holds, as one number: one pass answers what would be
 * many searches. Used by the line parsers; pure.
 */
final class OctetKinds {

  static final int DIGIT = 1;
  static final int DOT = 1 << 1;

  /** Letters that are hexadecimal digits, of both cases. */
  static final int HEX = 1 << 2;

  static final int DASH = 1 << 3;
  static final int SLASH = 1 << 4;
  static final int COLON = 1 << 5;
  static final int AT = 1 << 6;
  static final int BLANK = 1 << 7;
  static final int QUOTE = 1 << 8;

  /** The octets that begin an inline comment. */
  static final int COMMENT = 1 << 9;

  /** Everything else of ASCII. */
  static final int OTHER = 1 << 10;

  /** Octets above 127. */
  static final int HIGH = 1 << 11;

  private static final short[] KIND = kinds();

  private OctetKinds() {}

  private static short[] kinds() {
    short[] kinds = new short[1 << Byte.SIZE];
    for (int octet = 0; octet < kinds.length; octet++) {
      kinds[octet] = (short) kind((char) octet);
    }
    return kinds;
  }

  private static int kind(char octet) {
    return switch (octet) {
      case '.' -> DOT;
      case '-' -> DASH;
      case '/' -> SLASH;
      case ':' -> COLON;
      case '@' -> AT;
      case ' ', '\t' -> BLANK;
      case '"' -> QUOTE;
      case '#', ';' -> COMMENT;
      default -> {
        if (octet > 127) {
          yield HIGH;
        }
        int digit = Character.digit(octet, 16);
        yield digit < 0 ? OTHER : digit < 10 ? DIGIT : HEX;
      }
    };
  }

  /** The kinds of the octets {@code from} to {@code to}; 0 when there are none. */
  static int of(byte[] text, int from, int to) {
    int kinds = 0;
    for (int i = from; i < to; i++) {
      kinds |= KIND[text[i] & 0xff];
    }
    return kinds;
  }

  /** True when at least one octet is of one of these kinds. */
  static boolean any(int kinds, int wanted) {
    return (kinds & wanted) != 0;
  }

  /** True when no octet is of another kind. */
  static boolean only(int kinds, int allowed) {
    return (kinds & ~allowed) == 0;
  }
}
