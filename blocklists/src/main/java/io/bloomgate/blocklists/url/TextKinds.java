package io.bloomgate.blocklists.url;

/**
 * What a character of a text means for the search of URLs. Asked by {@link UrlScanner} for each
 * character of each mail and by the readers of single words; pure, any thread.
 */
final class TextKinds {

  /** Part of a word, without meaning for the search. */
  private static final int PLAIN = 0;

  /** A colon or a dot, also one that UTS 46 maps to a dot. */
  private static final int MARK = 1;

  /** An opening bracket or a backslash, which may hide a dot or a colon. */
  static final int BRACKET = 2;

  /** Ends a word: white space, control characters, double quotes, angle brackets. */
  static final int END = 12;

  private static final int MATTERS = MARK | BRACKET;

  /** A {@code <} or a double quote: what is behind it may be a URL with white space inside. */
  static final int OPENS = END | MARK;

  /** Behind the two bits of {@link #END}: a word that begins so may be part of a spoken URL. */
  private static final int FIRST_H = 16;

  private static final int FIRST_D = 32;
  private static final int FIRST = FIRST_H | FIRST_D;

  /** As far from {@link #FIRST} as that from {@link #END}: what makes of the first such a word. */
  private static final int BEHIND_H = 64;

  private static final int BEHIND_D = 128;

  private static final int STEP = 2;

  /** The kinds of a character that ends a word: a letter alone in front of it may be spoken. */
  private static final int ENDS = END | BEHIND_H | BEHIND_D;

  private static final int EIGHT = 8;

  /** The same in each of eight kinds. */
  private static final long EACH = 0x0101_0101_0101_0101L;

  private static final int PAGE = 0x80;

  /** Where all characters beside ASCII are that end a word, or are a dot. */
  private static final int[] PAGES_WITH_ENDS = {0x80, 0x1680, 0x2000, 0x3000, 0xff00};

  /** By character; most are zero, so that the table takes few lines of a cache. */
  private static final byte[] KINDS = kinds();

  private TextKinds() {}

  private static byte[] kinds() {
    byte[] kinds = new byte[1 << Character.SIZE];
    for (int c = 0; c <= ' '; c++) {
      kinds[c] = (byte) ENDS;
    }
    for (int page : PAGES_WITH_ENDS) {
      for (int c = page; c < page + PAGE; c++) {
        kinds[c] = (byte) (isWideDot((char) c) ? MARK : isWideEnd((char) c) ? ENDS : PLAIN);
      }
    }
    for (char c : ">`\u007f".toCharArray()) {
      kinds[c] = (byte) ENDS;
    }
    for (char c : "\"<".toCharArray()) {
      kinds[c] = (byte) (ENDS | OPENS);
    }
    for (char c : "[({\\".toCharArray()) {
      kinds[c] = BRACKET;
    }
    for (char c : ".:".toCharArray()) {
      kinds[c] = MARK;
    }
    for (char c = 'A'; c <= 'z'; c++) {
      for (char second : "hd".toCharArray()) {
        boolean isFirst = (c | 0x20) == second;
        boolean isSecond = TextKinds.isLetterOrDigit(c) && SpokenUrls.isSecond(second, c);
        int first = second == 'h' ? FIRST_H : FIRST_D;
        kinds[c] |= (byte) ((isFirst ? first : 0) | (isSecond ? first << STEP : 0));
      }
    }
    return kinds;
  }

  /** The kind of a character; {@link #END} may have the bit of a mark beside it. */
  static int of(char c) {
    return KINDS[c] & (MATTERS | END);
  }

  /** True for a character that ends a word. */
  static boolean isEnd(char c) {
    return (KINDS[c] & END) != 0;
  }

  /** The kinds of a character, with the bits that {@link #behindPlain} looks at. */
  private static long all(char c) {
    return KINDS[c] & 0xff;
  }

  private static long eight(char[] text, int at) {
    return all(text[at])
        | (all(text[at + 1]) << 8)
        | (all(text[at + 2]) << 16)
        | (all(text[at + 3]) << 24)
        | (all(text[at + 4]) << 32)
        | (all(text[at + 5]) << 40)
        | (all(text[at + 6]) << 48)
        | (all(text[at + 7]) << 56);
  }

  /**
   * Where the first character is that may mean something, or the end; eight at a time. Words are
   * short and of any length, so their ends and their first letters take no branch.
   *
   * @param from where a word begins
   */
  static int behindPlain(char[] text, int from, int to) {
    long before = END;
    int i = from;
    while (i < to) {
      for (; i + EIGHT < to; i += EIGHT) {
        long eight = eight(text, i);
        long ends = (eight << Byte.SIZE) | before;
        long next = (eight >>> Byte.SIZE) | (all(text[i + EIGHT]) << (7 * Byte.SIZE));
        long spoken = (ends << STEP) & (next >>> STEP) & (FIRST * EACH);
        if ((eight & ((MATTERS * EACH) | spoken)) != 0) {
          break;
        }
        before = eight >>> (7 * Byte.SIZE);
      }
      for (int last = Math.min(to, i + EIGHT); i < last; i++) {
        int kind = KINDS[text[i]];
        int first = kind & FIRST & ((int) before << STEP);
        int next = i + 1 < to ? (KINDS[text[i + 1]] & 0xff) >>> STEP : FIRST;
        if ((kind & MATTERS) != 0 || (first & next) != 0) {
          return i;
        }
        before = kind & 0xff;
      }
    }
    return to;
  }

  /** Dots of UTS 46 beside the full stop. */
  static boolean isWideDot(char c) {
    return c == '\u3002' || c == '\uff0e' || c == '\uff61';
  }

  /** White space, quotes, brackets and sentence marks that no URL in a text goes beyond. */
  private static boolean isWideEnd(char c) {
    if (c < 0x2000) {
      return c <= 0xa0 || c == '\u00ab' || c == '\u00bb' || c == '\u1680';
    }
    if (c < 0x3000) {
      return c <= 0x200a
          || (c >= 0x2018 && c <= 0x201f)
          || c == '\u2028'
          || c == '\u2029'
          || c == '\u202f'
          || c == '\u2039'
          || c == '\u203a'
          || c == '\u205f';
    }
    if (c < 0xff00) {
      return c == '\u3000' || c == '\u3001' || (c >= 0x3008 && c <= 0x3011);
    }
    return "\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1c\uff1e\uff1f".indexOf(c) >= 0;
  }

  static boolean isAscii(char[] text, int from, int to) {
    int all = 0;
    for (int i = from; i < to; i++) {
      all |= text[i];
    }
    return all < 0x80;
  }

  /** A letter, digit, hyphen or underscore of ASCII. */
  static boolean isNameCharacter(char c) {
    return isLetterOrDigit(c) || c == '-' || c == '_';
  }

  /** A letter or digit of ASCII. */
  static boolean isLetterOrDigit(char c) {
    return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || (c >= '0' && c <= '9');
  }

  /** Part of a bare host: any name character, dot, or anything above ASCII. */
  static boolean isHostCharacter(char c) {
    return c >= 128 || c == '.' || isNameCharacter(c);
  }

  /** Ideographs, kana and hangul, which are written next to names without a space. */
  static boolean isUnspaced(char c) {
    return c >= 0x2e80 && c <= 0xd7ff && !isWideDot(c);
  }

  static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }

  /** Ends user, host and port of a URL. */
  static boolean endsAuthority(char c) {
    return isSlash(c) || c == '?' || c == '#';
  }
}
