package io.bloomgate.blocklists.campaign;

import io.bloomgate.blocklists.campaign.BodyPrint.Prints;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Generated texts of mails, for the tests of fingerprints and counters. */
final class Texts {

  private static final int VOCABULARY = 20_000;
  private static final int BAG = 1 << 17;

  private final SplittableRandom random;
  private final String[] vocabulary = new String[VOCABULARY];

  /** As often as a word is in texts, it is here. */
  private final String[] bag = new String[BAG];

  Texts(long seed) {
    random = new SplittableRandom(seed);
    for (int i = 0; i < VOCABULARY; i++) {
      StringBuilder word = new StringBuilder();
      int length = random.nextInt(2, 11);
      for (int k = 0; k < length; k++) {
        word.append((char) random.nextInt('a', 'z' + 1));
      }
      vocabulary[i] = word.toString();
    }
    for (int i = 0; i < BAG; i++) {
      // Frequent words are far more frequent than rare ones, as in every language (Zipf).
      bag[i] = vocabulary[(int) Math.pow(VOCABULARY, random.nextDouble()) - 1];
    }
  }

  private String word() {
    return bag[random.nextInt(BAG)];
  }

  List<String> words(int count) {
    List<String> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      words.add(word());
    }
    return words;
  }

  /** A text of 60 to 220 words. */
  List<String> text() {
    return words(random.nextInt(60, 221));
  }

  /** Each word is replaced, removed, or gets another one before it, at this rate. */
  List<String> edited(List<String> text, double rate) {
    List<String> edited = new ArrayList<>(text.size() + 8);
    for (String word : text) {
      if (random.nextDouble() >= rate) {
        edited.add(word);
        continue;
      }
      switch (random.nextInt(3)) {
        case 0 -> edited.add(word());
        case 1 -> {
          edited.add(word());
          edited.add(word);
        }
        default -> {}
      }
    }
    return edited;
  }

  static Prints prints(BodyPrint reader, String text) {
    reader.put(text);
    return reader.end();
  }

  static Prints prints(BodyPrint reader, List<String> words) {
    return prints(reader, String.join(" ", words));
  }
}
