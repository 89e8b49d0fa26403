package io.bloomgate.blocklists.campaign;

import java.lang.Character.UnicodeScript;

/**
 * Divides a text into normalised words for a {@link WordPrint}. Used by one {@link BodyPrint} for
 * one mail after the other.
 *
 * <p>A word is a run of letters and numbers. Letters are lower case, a number is 0, numbers beside
 * each other are one. A URL (with a scheme, or with {@code www.}) is one word. Scripts that are
 * written without spaces give a word a character. Text of ISO 8859-1 takes a short way.
 */
final class BodyWords {

  private static final int ASCII = 0x80;

  /** Octets of UTF-8 that a character of UTF-16 takes at most, with the space behind a word. */
  private static final int OCTETS_A_CHARACTER = 4;

  private final WordPrint print;
  private final LatinWords latin = new LatinWords();
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
    return take(text, from, to) == to - from
        ? latin(to - from)
        : wide(PlainText.folded(text, from, to));
  }

  /**
   * Looks at the next characters, at most {@link BodyPrint#MOST_TOGETHER}.
   *
   * @return how many of them {@link #pieces} can read
   */
  int take(char[] text, int from, int to) {
    return latin.take(text, from, to);
  }

  /** Reads the first characters that were taken: pieces and what is between them. */
  void pieces(int length) {
    var _ = latin(length);
  }

  private boolean latin(int length) {
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
    for (int i = from; i < to; i++) {
      char c = latin.character(i);
      if (c >= ASCII) {
        for (char folded : PlainText.foldedLatin(c)) {
          put(folded);
        }
      } else if (c > '9') {
        print.letter(c);
        wasDigit = false;
      } else {
        digit();
      }
    }
  }

  /** The next code point that is folded. */
  private void put(int codePoint) {
    if (PlainText.isInvisible(codePoint)) {
      return;
    }
    if (Character.isDigit(codePoint)) {
      digit();
      return;
    }
    wasDigit = false;
    if (!PlainText.isLetter(codePoint)) {
      print.endWord();
    } else if (isWordAlone(codePoint)) {
      print.wordAlone(codePoint);
    } else {
      print.letter(codePoint);
    }
  }

  private void digit() {
    if (!wasDigit) {
      print.number();
    }
    wasDigit = true;
  }

  /** The same as {@link #latin(int)} for a folded piece with other characters. */
  private boolean wide(char[] text) {
    print.makeRoom(text.length * OCTETS_A_CHARACTER);
    wasDigit = false;
    int i = 0;
    while (i < text.length) {
      int codePoint = Character.codePointAt(text, i);
      if (beginsUrl(text, i)) {
        print.url();
        i = urlEnd(text, i);
        if (i == text.length) {
          return true;
        }
        wasDigit = false;
      } else {
        put(codePoint);
        i += Character.charCount(codePoint);
      }
    }
    print.endWord();
    return false;
  }

  private static boolean isWordAlone(int codePoint) {
    if (codePoint < 0x0e00) {
      return false;
    }
    return Character.isIdeographic(codePoint)
        || switch (UnicodeScript.of(codePoint)) {
          case HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
          default -> false;
        };
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

  private boolean beginsUrl(char[] text, int at) {
    return switch (text[at]) {
      case ':' ->
          print.isInWord() && at + 2 < text.length && text[at + 1] == '/' && text[at + 2] == '/';
      case '.' -> print.isWww() && at + 1 < text.length && !PlainText.isSpace(text[at + 1]);
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

  private static int urlEnd(char[] text, int from) {
    int i = from;
    while (i < text.length && !endsUrl(text[i])) {
      i++;
    }
    return i;
  }

  /** True for what is in no URL that a person would write. */
  static boolean endsUrl(char c) {
    return c == '<' || c == '>' || c == '"' || PlainText.isSpace(c);
  }

  /** The text has ended. */
  void clear() {
    latin.clear();
  }
}
