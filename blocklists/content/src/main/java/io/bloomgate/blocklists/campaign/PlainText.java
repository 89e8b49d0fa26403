package io.bloomgate.blocklists.campaign;

import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Makes subjects and bodies equal when they only look equal: compatibility forms, case, and
 * characters that nobody sees. Called by {@link SubjectPrint} and {@link BodyPrint} on threads of
 * sessions; pure.
 */
final class PlainText {

  /** The first letter of a script that is written without spaces: the Thai ones. */
  private static final int FIRST_ALONE = 0x0e00;

  /** Marks on one letter; no language has as many. */
  private static final Pattern MARKS = Pattern.compile("(\\p{M}{30})\\p{M}++");

  /** A joiner, fillers of Hangul and vowels of Khmer that are not written. */
  private static final String UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5";

  private PlainText() {}

  /**
   * The text in Unicode form NFKC (UAX 15), upper and then lower case of every character, so that
   * {@code ß} is {@code ss} and both sigmas are one: that is the full case folding of Unicode but
   * for some letters of Turkish and Cherokee. What takes no place on the screen is left out.
   */
  static String folded(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return byUnicode(text);
      }
    }
    return text.toLowerCase(Locale.ROOT);
  }

  private static String byUnicode(String text) {
    String upper = Normalizer.normalize(withFewMarks(text), Normalizer.Form.NFKC);
    StringBuilder lower = new StringBuilder(upper.length());
    // One by one: String.toLowerCase would write another sigma at the end of a word.
    upper
        .toUpperCase(Locale.ROOT)
        .codePoints()
        .filter(codePoint -> !isInvisible(codePoint))
        .forEach(codePoint -> lower.appendCodePoint(Character.toLowerCase(codePoint)));
    return Normalizer.normalize(lower, Normalizer.Form.NFKC);
  }

  /**
   * Removes the marks behind the first 30 of one letter (UAX 15 section 13): the time to sort them
   * grows with the square of their number.
   */
  static String withFewMarks(String text) {
    return MARKS.matcher(text).replaceAll("$1");
  }

  private static boolean isInvisible(int codePoint) {
    return Character.getType(codePoint) == Character.FORMAT
        || UNSEEN.indexOf(codePoint) >= 0
        || (codePoint >= 0x180b && codePoint <= 0x180f) // selectors of Mongolian
        || (codePoint >= 0xfe00 && codePoint <= 0xfe0f) // variation selectors
        || (codePoint >= 0xe0100 && codePoint <= 0xe01ef);
  }

  /** True for a letter that is a whole word: of a script that is written without spaces. */
  static boolean isWord(int codePoint) {
    return codePoint >= FIRST_ALONE
        && switch (UnicodeScript.of(codePoint)) {
          case HAN, HIRAGANA, KATAKANA, THAI, LAO, KHMER, MYANMAR -> true;
          default -> false;
        };
  }

  /** True for letters, and for the marks that many scripts write vowels with. */
  static boolean isLetter(int codePoint) {
    int type = Character.getType(codePoint);
    return Character.isLetter(codePoint)
        || type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK;
  }

  /** True for white space of any kind, line ends and control characters. */
  static boolean isSpace(int codePoint) {
    return codePoint <= ' '
        || codePoint == 0x7f
        || codePoint == 0x85
        || (codePoint > 0x85 && Character.isSpaceChar(codePoint));
  }
}
