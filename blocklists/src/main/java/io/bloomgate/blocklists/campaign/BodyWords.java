package io.bloomgate.blocklists.campaign;

/**
 * Divides a text into normalised words for a {@link WordPrint}. Used by one {@link BodyPrint} for
 * one mail after the other.
 *
 * <p>A word is a run of letters and numbers. Letters are lower case, a number is 0, numbers beside
 * each other are one. A URL (with a scheme, or with {@code www.}) is one word. Scripts that are
 * written without spaces give a word a character. Text of ISO 8859-1 takes a short way.
 */
final class BodyWords {

  /** Octets of UTF-8 that a character of UTF-16 takes at most, with the space behind a word. */
  private static final int OCTETS_A_CHARACTER = 4;

  private final WordPrint print;
  private final LatinWords latin = new LatinWords();
  private final char[] folded = new char[BodyPrint.MOST_TOGETHER];
  private boolean wasDigit;

  BodyWords(WordPrint print) {
    this.print = print;
  }

  /**
   * The next piece without white space.
   *
   * @return true when a URL reaches the end of the piece
   */
  boolean piece(char[] text, int from, int to) {
    int any = 0;
    for (int i = from; i < to; i++) {
      any |= text[i];
    }
    if (LatinWords.isLatin(any)) {
      latin.set(text, from, to);
      return pieces(to - from);
    }
    if (PlainText.isFolded(text, from, to, folded)) {
      return wide(folded, to - from);
    }
    char[] unfolded = PlainText.byUnicode(text, from, to);
    return wide(unfolded, unfolded.length);
  }

  /**
   * Looks at the next characters, at most {@link BodyPrint#MOST_TOGETHER}.
   *
   * @return how many of them {@link #pieces} can read
   */
  int take(char[] text, int from, int to) {
    return latin.take(text, from, to);
  }

  /**
   * Reads the first characters that were taken: pieces and what is between them.
   *
   * @return true when a URL reaches the end of them
   */
  boolean pieces(int length) {
    int found = latin.read(length);
    // a space follows each word; in ASCII only the last one may have none in the text
    print.makeRoom(latin.isAscii() ? length + 1 : length * OCTETS_A_CHARACTER);
    int urlEnd = 0;
    int i = 0;
    while (i < found) {
      if (latin.begin(i) >= urlEnd) {
        i = print.plain(latin, i, found);
      }
      if (i < found && latin.end(i) > urlEnd) {
        int behind = latin.end(i);
        write(Math.max(urlEnd, latin.begin(i)), behind);
        if (beginsUrl(behind)) {
          print.url();
          urlEnd = urlEnd(behind, length);
          if (urlEnd == length) {
            return true;
          }
        } else {
          print.endWord();
        }
      }
      i++;
    }
    return false;
  }

  /** Writes what may be a word, or several. */
  private void write(int from, int to) {
    wasDigit = false;
    int i = from;
    while (i < to) {
      int wide = latin.wide(i, to);
      wasDigit = print.ascii(latin.octets(), i, wide, wasDigit);
      i = wide;
      if (i < to) {
        for (char c : PlainText.foldedLatin(latin.character(i++))) {
          put(c);
        }
      }
    }
  }

  /** The next code point that is folded. */
  private void put(int codePoint) {
    switch (PlainText.kind(codePoint)) {
      case LETTER -> {
        wasDigit = false;
        print.letter(codePoint);
      }
      case WORD -> {
        wasDigit = false;
        print.wordAlone(codePoint);
      }
      case DIGIT -> {
        if (!wasDigit) {
          print.number();
        }
        wasDigit = true;
      }
      case BETWEEN -> {
        wasDigit = false;
        print.endWord();
      }
      case INVISIBLE -> {}
    }
  }

  /** The same as {@link #pieces} for a folded piece with other characters. */
  private boolean wide(char[] text, int length) {
    print.makeRoom(length * OCTETS_A_CHARACTER);
    wasDigit = false;
    int i = 0;
    while (i < length) {
      if (beginsUrl(text, i, length)) {
        print.url();
        wasDigit = false;
        i = urlEnd(text, i, length);
        if (i == length) {
          return true;
        }
      } else {
        int codePoint = Character.codePointAt(text, i, length);
        put(codePoint);
        i += Character.charCount(codePoint);
      }
    }
    print.endWord();
    return false;
  }

  /** True at the colon behind a scheme, and at the dot behind {@code www}. */
  private boolean beginsUrl(int at) {
    return switch (latin.character(at)) {
      case ':' ->
          print.isInWord() && latin.character(at + 1) == '/' && latin.character(at + 2) == '/';
      case '.' -> print.isWww() && !PlainText.isSpace(folded(at + 1));
      default -> false;
    };
  }

  /** What a character is folded to, or the first of what it is folded to. */
  private char folded(int at) {
    return PlainText.foldedLatin(latin.character(at))[0];
  }

  private boolean beginsUrl(char[] text, int at, int to) {
    return switch (text[at]) {
      case ':' -> print.isInWord() && at + 2 < to && text[at + 1] == '/' && text[at + 2] == '/';
      case '.' -> print.isWww() && at + 1 < to && !PlainText.isSpace(text[at + 1]);
      default -> false;
    };
  }

  private int urlEnd(int from, int to) {
    int i = from;
    while (i < to && !endsUrl(folded(i))) {
      i++;
    }
    return i;
  }

  private static int urlEnd(char[] text, int from, int to) {
    int i = from;
    while (i < to && !endsUrl(text[i])) {
      i++;
    }
    return i;
  }

  /** True for what is in no URL that a person would write. */
  static boolean endsUrl(char c) {
    return c == '<' || c == '>' || c == '"' || PlainText.isSpace(c);
  }
}
