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

  private static final byte[] ASCII = ascii();

  private TextKinds() {}

  private static byte[] ascii() {
    byte[] kinds = new byte[128];
    for (int c = 0; c <= ' '; c++) {
      kinds[c] = END;
    }
    for (char c : "\"<>`\u007f".toCharArray()) {
      kinds[c] = END;
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
    return c < 128 ? ASCII[c] & (MATTERS | END) : wide(c);
  }

  /**
   * Where the first character is that may mean something, or the end. Words are short and of any
   * length, so their ends take no branch.
   *
   * @param from where a word begins
   */
  static int behindPlain(char[] text, int from, int to) {
    int wanted = MATTERS | FIRST;
    for (int i = from; i < to; i++) {
      char c = text[i];
      int kind = c < 128 ? ASCII[c] : MATTERS;
      if ((kind & wanted) != 0) {
        return i;
      }
      wanted = MATTERS | (kind & END) << 1;
    }
    return to;
  }

  private static int wide(char c) {
    if (isWideDot(c)) {
      return DOT;
    }
    return isWideEnd(c) ? END : PLAIN;
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
