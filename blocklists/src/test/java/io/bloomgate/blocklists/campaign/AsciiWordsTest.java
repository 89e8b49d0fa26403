package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Words of ASCII that are found eight characters at a time, against a search one by one. */
final class AsciiWordsTest {

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]+");

  @Test
  void findsTheSameWordsAsASearchOneByOne() {
    SplittableRandom random = new SplittableRandom(20_261_126);
    AsciiWords words = new AsciiWords();
    byte[] written = new byte[BodyPrint.MOST_TOGETHER + AsciiWords.WRITTEN];
    for (int round = 0; round < 20_000; round++) {
      String text = text(random, random.nextInt(BodyPrint.MOST_TOGETHER + 1));
      char[] padded = ("a" + text + "z9").toCharArray();
      int found = words.read(padded, 1, 1 + text.length());
      List<String> read = new ArrayList<>();
      for (int i = 0; i < found; i++) {
        int end = words.write(words.begin(i), words.end(i), written, 0);
        read.add(words.begin(i) + " " + new String(written, 0, end, US_ASCII));
      }
      assertEquals(oracle(text), read, text);
    }
  }

  /** In some texts letters and digits are many, in others few. */
  private static String text(SplittableRandom random, int length) {
    int kind = random.nextInt(3);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(
          switch (kind) {
            case 0 -> (char) random.nextInt(128);
            case 1 -> (char) random.nextInt('@', '{' + 1);
            default -> "aZ0 9.".charAt(random.nextInt(6));
          });
    }
    return text.toString();
  }

  private static List<String> oracle(String text) {
    return WORD.matcher(text)
        .results()
        .map(word -> word.start() + " " + word.group().toLowerCase(Locale.ROOT))
        .map(AsciiWordsTest::withOneZero)
        .toList();
  }

  private static String withOneZero(String place) {
    int word = place.indexOf(' ') + 1;
    return place.substring(0, word) + place.substring(word).replaceAll("[0-9]+", "0");
  }
}
