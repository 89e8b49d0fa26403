package io.bloomgate.blocklists.url;

/**
 * What a character of a text means for the search of URLs. Asked by {@link UrlScanner} for each
 * character of each mail and by the readers of single words; pure, any thread.
 */
final class TextKinds {

  /** Part of a word, without meaning for the search. */
  static final int PLAIN = 0;

  /** A dot, also one that UTS 46 maps to a dot. */
  static final int DOT = 1;

  static final int COLON = 2;

  /** An opening bracket or a backslash, which may hide a dot or a colon. */
  static final int BRACKET = 4;

  /** Ends a word: white space, control characters, double quotes, angle brackets. */
  static final int END = 8;

  private static final int MATTERS = DOT | COLON | BRACKET;

  /** Behind {@link #END}: a word that begins so may be part of a URL that is spoken. */
  private static final int FIRST = END << 1;

  /** A {@code <} or a double quote: what is behind it may be a URL with white space inside. */
  static final int OPENS = FIRST << 1;

  /** The same in each of four octets. */
  private static final int EACH = 0x0101_0101;

  private static final int PAGE = 0x80;

  /** Where all characters beside ASCII are that end a word, or are a dot. */
  private static final int[] PAGES_WITH_ENDS = {0x80, 0x1680, 0x2000, 0x3000, 0xff00};

  /** By character; most are zero, so that the table takes few lines of a cache. */
  private static final byte[] KINDS = kinds();

  private TextKinds() {}

  private static byte[] kinds() {
    byte[] kinds = new byte[1 << Character.SIZE];
    for (int c = 0; c <= ' '; c++) {
      kinds[c] = END;
    }
    for (int page : PAGES_WITH_ENDS) {
      for (int c = page; c < page + PAGE; c++) {
        kinds[c] = (byte) (isWideDot((char) c) ? DOT : isWideEnd((char) c) ? END : PLAIN);
      }
    }
    for (char c : ">`\u007f".toCharArray()) {
      kinds[c] = END;
    }
    for (char c : "\"<".toCharArray()) {
      kinds[c] = END | OPENS;
    }
    for (char c : "[({\\".toCharArray()) {
      kinds[c] = BRACKET;
    }
    kinds['.'] = DOT;
    kinds[':'] = COLON;
    for (char c : "hHdD".toCharArray()) {
      kinds[c] = FIRST;
    }
    return kinds;
  }

  /** The kind of a character. */
  static int of(char c) {
    return KINDS[c] & (MATTERS | END);
  }

  /** Where the first character of a kind is, or the end. */
  static int indexOf(int kind, char[] text, int from, int to) {
    int i = from;
    for (; i + 4 <= to; i += 4) {
      int four = KINDS[text[i]] | KINDS[text[i + 1]] | KINDS[text[i + 2]] | KINDS[text[i + 3]];
      if ((four & kind) != 0) {
        break;
      }
    }
    while (i < to && (KINDS[text[i]] & kind) == 0) {
      i++;
    }
    return i;
  }

  private static int four(char[] text, int at) {
    return KINDS[text[at]]
        | KINDS[text[at + 1]] << 8
        | KINDS[text[at + 2]] << 16
        | KINDS[text[at + 3]] << 24;
  }

  /**
   * Where the first character is that may mean something, or the end; four at a time. Words are
   * short and of any length, so their ends take no branch.
   *
   * @param from where a word begins
   */
  static int behindPlain(char[] text, int from, int to) {
    int ends = END;
    int i = from;
    while (i < to) {
      for (; i + Integer.BYTES <= to; i += Integer.BYTES) {
        int four = four(text, i);
        if ((four & ((MATTERS * EACH) | ((((four << 8) | ends) << 1) & (FIRST * EACH)))) != 0) {
          break;
        }
        ends = four >>> 24;
      }
      for (int last = Math.min(to, i + Integer.BYTES); i < last; i++) {
        int kind = KINDS[text[i]];
        if ((kind & MATTERS) != 0 || ((kind & ends << 1 & FIRST) != 0 && isSpoken(text, i, to))) {
          return i;
        }
        ends = kind;
      }
    }
    return to;
  }

  /** Behind the first letter of a word that may be spoken: the second makes that rare. */
  private static boolean isSpoken(char[] text, int at, int to) {
    return at + 1 == to || of(text[at + 1]) == END || SpokenUrls.isSecond(text[at], text[at + 1]);
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
