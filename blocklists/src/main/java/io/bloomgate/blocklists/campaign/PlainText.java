package io.bloomgate.blocklists.campaign;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Locale;

/**
 * How subjects and bodies are made equal when they only look equal: compatibility forms, case, and
 * characters that nobody sees. Called by {@link SubjectPrint} and {@link BodyWords} on threads of
 * sessions; pure.
 */
final class PlainText {

  /** The first of them that nobody sees. */
  private static final int SOFT_HYPHEN = 0xad;

  private static final int COMBINING_GRAPHEME_JOINER = 0x034f;

  /** Above ISO 8859-1 no other space is below. */
  private static final int OGHAM_SPACE = 0x1680;

  /** An exclamation mark as wide as an ideograph; the others of ASCII are behind it. */
  private static final int FULL_WIDTH = 0xff01;

  private static final int FIRST_IDEOGRAPH = 0x4e00;

  private static final int LAST_IDEOGRAPH = 0x9fff;

  /** No language has as many on one letter. */
  private static final int MOST_MARKS = 30;

  /** Latin, Greek, Cyrillic and Armenian letters are below. */
  private static final int TABLE = 0x590;

  /**
   * By character: the one that it is folded to, whatever is next to it; zero for a character that
   * may become several, or one with its neighbours.
   */
  private static final char[] SIMPLE = simple();

  /** What the characters of ISO 8859-1 are folded to, whatever is next to them. */
  private static final char[][] LATIN = latin();

  /** {@link #kind} by character. */
  private static final Kind[] KINDS = kinds();

  private PlainText() {}

  private static Kind[] kinds() {
    Kind[] kinds = new Kind[TABLE];
    Arrays.setAll(kinds, PlainText::kindByUnicode);
    return kinds;
  }

  private static char[][] latin() {
    char[][] latin = new char[0x100][];
    Arrays.setAll(latin, c -> byUnicode(String.valueOf((char) c)).toCharArray());
    return latin;
  }

  private static char[] simple() {
    char[] simple = new char[TABLE];
    for (char c = 0; c < TABLE; c++) {
      String text = String.valueOf(c);
      String folded = byUnicode(text);
      boolean isAlone = !isMark(c) && Normalizer.isNormalized(text, Normalizer.Form.NFKC);
      if (isAlone && folded.length() == 1 && !isMark(folded.charAt(0))) {
        simple[c] = folded.charAt(0);
      }
    }
    return simple;
  }

  private static boolean isMark(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK
        || type == Character.COMBINING_SPACING_MARK;
  }

  /** Of one character without its neighbours; zero where that cannot be said. */
  private static char simple(char c) {
    if (c < TABLE) {
      return SIMPLE[c];
    }
    if (c >= FULL_WIDTH && c <= 0xff5e) {
      return SIMPLE[c - FULL_WIDTH + '!'];
    }
    // Dashes and quotes that mail programs set are what they are; U+2017 is a space and a mark.
    boolean isItself =
        (isBetween(c, 0x2013, 0x201f) && c != 0x2017)
            || isBetween(c, 0x3001, 0x3003) // commas and full stops of Chinese
            || isBetween(c, FIRST_IDEOGRAPH, LAST_IDEOGRAPH);
    return isItself ? c : 0;
  }

  /** {@link #folded(String)} of a character of ISO 8859-1; nobody writes to it. */
  static char[] foldedLatin(char c) {
    return LATIN[c];
  }

  /** {@link #folded(String)} of some characters. */
  static char[] folded(char[] text, int from, int to) {
    char[] folded = new char[to - from];
    return isFolded(text, from, to, folded) ? folded : byUnicode(text, from, to);
  }

  /** The same for characters that {@link #isFolded} is false for. */
  static char[] byUnicode(char[] text, int from, int to) {
    return byUnicode(new String(text, from, to - from)).toCharArray();
  }

  /**
   * The same for characters that each become one, whatever is next to them; false for others.
   *
   * @param folded takes them
   */
  static boolean isFolded(char[] text, int from, int to, char[] folded) {
    for (int i = from; i < to; i++) {
      char c = simple(text[i]);
      if (c == 0) {
        return false;
      }
      folded[i - from] = c;
    }
    return true;
  }

  /**
   * The text in Unicode form NFKC (UAX 15), upper and then lower case of every character, so that
   * {@code ß} is {@code ss} and both sigmas are one. That is the full case folding of Unicode but
   * for some letters of Turkish and Cherokee.
   */
  static String folded(String text) {
    return new String(folded(text.toCharArray(), 0, text.length()));
  }

  private static String byUnicode(String text) {
    String upper =
        Normalizer.normalize(withFewMarks(text), Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
    StringBuilder lower = new StringBuilder(upper.length());
    // One by one: String.toLowerCase would write another sigma at the end of a word.
    for (int i = 0; i < upper.length(); ) {
      int codePoint = upper.codePointAt(i);
      lower.appendCodePoint(Character.toLowerCase(codePoint));
      i += Character.charCount(codePoint);
    }
    return Normalizer.normalize(lower, Normalizer.Form.NFKC);
  }

  /**
   * Without the marks behind the first {@link #MOST_MARKS} of one letter (UAX 15 section 13): the
   * time to sort them grows with the square of their number.
   */
  static String withFewMarks(String text) {
    StringBuilder few = new StringBuilder(text.length());
    int marks = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      marks = isMark(codePoint) ? marks + 1 : 0;
      if (marks <= MOST_MARKS) {
        few.appendCodePoint(codePoint);
      }
    }
    return few.toString();
  }

  /** What a character of a text that is folded is to the words of the text. */
  enum Kind {
    LETTER,
    /** A letter that is a whole word: of a script that is written without spaces. */
    WORD,
    DIGIT,
    INVISIBLE,
    BETWEEN
  }

  /** Says it. */
  static Kind kind(int codePoint) {
    if (codePoint < TABLE) {
      return KINDS[codePoint];
    }
    return isBetween(codePoint, FIRST_IDEOGRAPH, LAST_IDEOGRAPH)
        ? Kind.WORD
        : kindByUnicode(codePoint);
  }

  private static Kind kindByUnicode(int codePoint) {
    if (isInvisible(codePoint)) {
      return Kind.INVISIBLE;
    }
    if (Character.isDigit(codePoint)) {
      return Kind.DIGIT;
    }
    if (!isLetter(codePoint)) {
      return Kind.BETWEEN;
    }
    return isWordAlone(codePoint) ? Kind.WORD : Kind.LETTER;
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

  /** True for what takes no place on the screen: it must not divide a word. */
  static boolean isInvisible(int codePoint) {
    if (codePoint < SOFT_HYPHEN) {
      return false;
    }
    return Character.getType(codePoint) == Character.FORMAT
        || codePoint == COMBINING_GRAPHEME_JOINER
        || isBetween(codePoint, 0x115f, 0x1160) // fillers of Hangul
        || isBetween(codePoint, 0x17b4, 0x17b5) // vowels of Khmer that are not written
        || isBetween(codePoint, 0x180b, 0x180f) // selectors of Mongolian
        || isBetween(codePoint, 0xfe00, 0xfe0f) // variation selectors
        || isBetween(codePoint, 0xe0100, 0xe01ef);
  }

  /** True for letters, and for the marks that many scripts write vowels with. */
  static boolean isLetter(int codePoint) {
    if (codePoint < 0x80) {
      return (codePoint | 0x20) >= 'a' && (codePoint | 0x20) <= 'z';
    }
    if (Character.isLetter(codePoint)) {
      return true;
    }
    int type = Character.getType(codePoint);
    return type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
  }

  /** True for white space of any kind, line ends and control characters. */
  static boolean isSpace(int codePoint) {
    if (codePoint < 0x80) {
      return codePoint <= ' ' || codePoint == 0x7f;
    }
    if (codePoint < OGHAM_SPACE) {
      return codePoint == 0x85 || codePoint == 0xa0;
    }
    return Character.isSpaceChar(codePoint);
  }

  private static boolean isBetween(int codePoint, int first, int last) {
    return codePoint >= first && codePoint <= last;
  }
}
