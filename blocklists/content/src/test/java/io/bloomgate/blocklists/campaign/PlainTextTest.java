package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.text.Normalizer;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of {@link PlainText} against Unicode's own rules; fingerprints are exchanged. */
@Timeout(60)
final class PlainTextTest {

  private static final long SEED = 20_261_124;

  /** Characters that take no place on the screen, by their names in Unicode. */
  private static final Pattern INVISIBLE =
      Pattern.compile(
          "[\\p{Cf}\\x{34f}\\x{115f}\\x{1160}\\x{17b4}\\x{17b5}\\x{180b}-\\x{180f}"
              + "\\x{fe00}-\\x{fe0f}\\x{e0100}-\\x{e01ef}]");

  /** The rule as it is written, without any table. */
  private static String byRule(String text) {
    String upper = Normalizer.normalize(text, Normalizer.Form.NFKC).toUpperCase(Locale.ROOT);
    StringBuilder lower = new StringBuilder();
    upper.codePoints().map(Character::toLowerCase).forEach(lower::appendCodePoint);
    return Normalizer.normalize(INVISIBLE.matcher(lower).replaceAll(""), Normalizer.Form.NFKC);
  }

  @Test
  void everyCharacterIsFoldedByTheRule() {
    // Beyond the planes that have characters, one in a hundred.
    for (int c = 0; c <= Character.MAX_CODE_POINT; c += c >> 16 > 3 && c >> 16 != 14 ? 97 : 1) {
      String text = Character.toString(c);
      assertEquals(byRule(text), PlainText.folded(text), "U+" + Integer.toHexString(c));
    }
  }

  @Test
  void neighboursAreFoldedByTheRule() {
    SplittableRandom random = new SplittableRandom(SEED);
    int[] ends = {0x80, 0x100, 0x300, 0x370, 0x400, 0x530, 0x5a0, 0x2030, 0x10000};
    int[] begins = {0x2000, 0x2ff8, 0x3040, 0x3098, 0x4dd0, 0x9fd0, 0xac00, 0xfef0, 0xff50};
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(1, 6);
      for (int j = 0; j < length; j++) {
        int begin = begins[random.nextInt(begins.length)];
        boolean isNear = random.nextInt(4) == 0;
        text.append(
            (char)
                (isNear
                    ? begin + random.nextInt(0x60)
                    : random.nextInt(ends[random.nextInt(ends.length)])));
      }
      assertEquals(byRule(text.toString()), PlainText.folded(text.toString()), "seed " + SEED);
    }
  }

  /** Unicode sorts the marks of a letter, in the square of their number. */
  @Test
  void marksOfALetterAreBounded() {
    String marks = "\u0316\u0300".repeat(500);
    assertEquals("a" + marks.substring(0, 30) + "b", PlainText.withFewMarks("a" + marks + "b"));
    assertEquals(marks.substring(0, 30), PlainText.withFewMarks(marks));
    String beyond = "\ud83a\udd44\ud83a\udd4a".repeat(500); // marks above U+FFFF
    assertEquals("a" + beyond.substring(0, 60) + "b", PlainText.withFewMarks("a" + beyond + "b"));
  }
}
