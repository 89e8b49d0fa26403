package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.dynatrace.hash4j.similarity.SuperMinHashVersion;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the visible texts of a mail and gives its fingerprints. Made by the reader of each mail; of
 * one thread.
 *
 * <p>A text is a row of words. A word is a run of letters and numbers; letters are folded, a number
 * is 0, numbers beside each other are one. A URL (with a scheme, or with {@code www.}) is one word.
 * Scripts that are written without spaces give a word a character.
 */
public final class BodyPrint {

  /** Words of a mail that are read. */
  public static final int MOST_WORDS = 2_000;

  /** Words with letters that a text needs to have a fingerprint; a number or a URL has none. */
  public static final int LEAST_WORDS = 20;

  /** Words that a text needs to have minima: codes and short notices are alike by nature. */
  public static final int LEAST_WORDS_ALIKE = 40;

  /** Characters of one text that are read. */
  static final int MOST_CHARACTERS = 512 * 1024;

  /** Begins what is hashed. Part of values that are exchanged: never changes. */
  private static final String TAG = "bloomgate body 1\n";

  /** The version is fixed: operator entries keep minima. */
  private static final SimilarityHashPolicy POLICY =
      SimilarityHashing.superMinHash(Likeness.MINIMA, Short.SIZE, SuperMinHashVersion.V1);

  private static final String NUMBER = "0";
  private static final String URL = "://";
  private static final String WWW = "www";
  private static final int TRIGRAM = 3;

  private final Hasher64 hash;

  /** A space behind each word. */
  private final StringBuilder words = new StringBuilder();

  private int count;

  /** The place where the word begins that is being written. */
  private int word;

  private boolean isAfterNumber;

  /**
   * The prints of a text.
   *
   * @param exact of the normalised words, without a seed; {@code null} when they are too few
   * @param likeness with this gateway's seed; {@code null} when the words are too few
   */
  public record Prints(@Nullable Fingerprint exact, @Nullable Likeness likeness) {}

  /**
   * Nothing was read yet.
   *
   * @param seed of this gateway, secret: who knows it can write mails that are alike to others
   */
  public BodyPrint(long seed) {
    hash = Hashing.wyhashFinal4(seed);
  }

  /** Octets of memory that it takes, about. */
  public int keptOctets() {
    return words.capacity();
  }

  /** The next text, which ends a word. */
  public void put(String text) {
    String folded = PlainText.folded(text.substring(0, Math.min(text.length(), MOST_CHARACTERS)));
    int i = 0;
    while (i < folded.length() && count < MOST_WORDS) {
      int codePoint = folded.codePointAt(i);
      if (beginsUrl(folded, i)) {
        words.replace(word, words.length(), URL);
        i = urlEnd(folded, i);
        endWord();
      } else {
        i += Character.charCount(codePoint);
        put(codePoint);
      }
    }
    endWord();
  }

  private void put(int codePoint) {
    if (Character.isDigit(codePoint)) {
      boolean goesOn = words.length() > word && words.charAt(words.length() - 1) == '0';
      words.append(goesOn ? "" : NUMBER);
    } else if (!PlainText.isLetter(codePoint)) {
      endWord();
    } else if (PlainText.isWord(codePoint)) {
      endWord();
      words.appendCodePoint(codePoint);
      endWord();
    } else {
      words.appendCodePoint(codePoint);
    }
  }

  /** True at the colon behind a scheme, and at the dot behind {@code www}. */
  private boolean beginsUrl(String text, int at) {
    boolean isWww = text.charAt(at) == '.' && words.substring(word).equals(WWW);
    return (isWww && at + 1 < text.length() && !PlainText.isSpace(text.charAt(at + 1)))
        || (words.length() > word && text.startsWith(URL, at));
  }

  private static int urlEnd(String text, int from) {
    int i = from;
    while (i < text.length()
        && "<>\"".indexOf(text.charAt(i)) < 0
        && !PlainText.isSpace(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** The word ends, if there is one; of numbers beside each other the first counts. */
  private void endWord() {
    if (words.length() == word) {
      return;
    }
    boolean isNumber = words.length() == word + 1 && words.charAt(word) == '0';
    if (count == MOST_WORDS || (isNumber && isAfterNumber)) {
      words.setLength(word);
    } else {
      count++;
      words.append(' ');
      word = words.length();
    }
    isAfterNumber = isNumber;
  }

  /** The fingerprints of all words; the next mail begins. */
  public Prints end() {
    String all = words.toString();
    String[] each = all.split(" ");
    int withLetters = 0;
    for (String one : each) {
      withLetters += one.equals(URL) || one.equals(NUMBER) ? 0 : 1;
    }
    Fingerprint exact = withLetters < LEAST_WORDS ? null : Fingerprint.ofText(TAG + all);
    Prints prints = new Prints(exact, count < LEAST_WORDS_ALIKE ? null : likeness(each));
    words.setLength(0);
    word = 0;
    count = 0;
    isAfterNumber = false;
    return prints;
  }

  /** The minima of each three words beside each other. */
  private Likeness likeness(String[] each) {
    long[] hashes = Arrays.stream(each).mapToLong(hash::hashCharsToLong).toArray();
    long[] trigrams = new long[each.length - TRIGRAM + 1];
    for (int i = 0; i < trigrams.length; i++) {
      trigrams[i] = hash.hashLongLongLongToLong(hashes[i], hashes[i + 1], hashes[i + 2]);
    }
    byte[] signature = POLICY.createHasher().compute(ElementHashProvider.ofValues(trigrams));
    short[] minima = new short[Likeness.MINIMA];
    for (int i = 0; i < minima.length; i++) {
      minima[i] = (short) POLICY.getComponent(signature, i);
    }
    return Likeness.of(minima);
  }
}
