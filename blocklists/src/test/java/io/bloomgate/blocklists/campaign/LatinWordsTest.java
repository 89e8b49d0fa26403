package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Words that are found eight characters at a time, against a search one by one. */
final class LatinWordsTest {

  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9\u0080-\u00ff]+");
  private static final Pattern CAPITALS = Pattern.compile("[A-Z]+");

  @Test
  void findsTheSameWordsAsASearchOneByOne() {
    long seed = 20_261_126;
    SplittableRandom random = new SplittableRandom(seed);
    LatinWords words = new LatinWords();
    for (int round = 0; round < 20_000; round++) {
      String text = text(random, random.nextInt(BodyPrint.MOST_TOGETHER + 1));
      char[] padded = ("a" + text + "z9").toCharArray();
      assertEquals(text.length(), words.take(padded, 1, 1 + text.length()));
      int found = words.read(text.length());
      List<String> read = new ArrayList<>();
      for (int i = 0; i < found; i++) {
        read.add(words.begin(i) + " " + word(words, i));
      }
      assertEquals(oracle(text), read, "seed " + seed + ": " + text);
      assertEquals(text.chars().allMatch(c -> c < 0x80), words.isAscii(), text);
    }
  }

  @Test
  void takesWhatIsInFrontOfOtherCharacters() {
    LatinWords words = new LatinWords();
    for (String other : List.of("\u0100", "\ud83d\ude00", "\udc00", "\ud83d")) {
      for (int before = 0; before < 100; before++) {
        char[] text = ("\u00e9".repeat(before) + other + "x".repeat(100)).toCharArray();
        assertEquals(before, words.take(text, 0, text.length), other);
      }
    }
  }

  private static String word(LatinWords words, int word) {
    StringBuilder read = new StringBuilder();
    for (int i = words.begin(word); i < words.end(word); i++) {
      read.append(words.character(i));
    }
    return read.toString();
  }

  /** In some texts letters and digits are many, in others few. */
  private static String text(SplittableRandom random, int length) {
    int kind = random.nextInt(4);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(
          switch (kind) {
            case 0 -> (char) random.nextInt(128);
            case 1 -> (char) random.nextInt('@', '{' + 1);
            case 2 -> (char) random.nextInt(256);
            default -> "aZ0 9.".charAt(random.nextInt(6));
          });
    }
    return text.toString();
  }

  private static List<String> oracle(String text) {
    return WORD.matcher(text)
        .results()
        .map(word -> word.start() + " " + lower(word.group()))
        .toList();
  }

  /** Letters of ASCII alone. */
  private static String lower(String word) {
    return CAPITALS.matcher(word).replaceAll(capitals -> capitals.group().toLowerCase(Locale.ROOT));
  }
}
