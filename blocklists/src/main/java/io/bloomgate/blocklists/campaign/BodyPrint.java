package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Takes the visible text of a mail in pieces and gives its fingerprints. However the text is cut
 * into pieces, the fingerprints are the same. One object serves one mail after the other on one
 * thread; it keeps about 7 kB, 25 kB after texts whose characters become many.
 */
public final class BodyPrint {

  /** Words of a text that are read. */
  public static final int MOST_WORDS = 2_000;

  /** Words with letters that a text needs to have a fingerprint; a number or a URL has none. */
  public static final int LEAST_WORDS = 20;

  /** Words that a text needs to have minima: codes and short notices are alike by nature. */
  public static final int LEAST_WORDS_ALIKE = 40;

  /** Characters without white space that are looked at together. */
  static final int MOST_TOGETHER = 256;

  private static final int FIRST_HELD = 32;

  private final WordPrint print;
  private final BodyWords words;
  private char[] held = new char[FIRST_HELD];
  private int holds;

  /** True inside a URL longer than what is looked at together. */
  private boolean isInUrl;

  /**
   * What is known of a text.
   *
   * @param exact of the normalised words, without a seed; {@code null} when they are too few
   * @param likeness with this gateway's seed; {@code null} when the words are too few
   */
  public record Prints(@Nullable Fingerprint exact, @Nullable Likeness likeness) {}

  /**
   * A reader.
   *
   * @param seed of this gateway, secret: who knows it can write mails that are alike to others
   */
  public BodyPrint(long seed) {
    this.print = new WordPrint(seed);
    this.words = new BodyWords(print);
  }

  /** The next characters of the text; whose array is kept until the next ones or the end. */
  public void put(char[] text, int from, int length) {
    int end = from + length;
    int at = from;
    while (at < end && !print.isFull()) {
      if (isInUrl) {
        at = inUrl(text, at, end);
      } else {
        int next = holds > 0 ? at : latin(text, at, end);
        at = next > at ? next : next(text, at, end);
      }
    }
  }

  /**
   * Reads as much at once as is ISO 8859-1 and needs no look at single pieces, for speed.
   *
   * @return where it ends, behind white space
   */
  private int latin(char[] text, int from, int end) {
    int read = from;
    while (read < end && LatinWords.isLatin(text[read])) {
      // Every piece up to the last space among these is short enough.
      int to = read + words.take(text, read, Math.min(end, read + MOST_TOGETHER));
      int space = to;
      while (space > read && !PlainText.isSpace(text[space - 1])) {
        space--;
      }
      if (space == read) {
        break;
      }
      words.pieces(space - read);
      read = space;
    }
    return read;
  }

  private int inUrl(char[] text, int from, int end) {
    int at = from;
    while (at < end && !BodyWords.endsUrl(text[at])) {
      at++;
    }
    isInUrl = at == end;
    return at;
  }

  private int next(char[] text, int from, int end) {
    int limit = Math.min(end, from + MOST_TOGETHER - holds);
    int at = from;
    while (at < limit && !PlainText.isSpace(text[at])) {
      at++;
    }
    boolean isAtSpace = at < limit;
    boolean isCut = !isAtSpace && holds + at - from == MOST_TOGETHER;
    if (isCut && Character.isHighSurrogate(text[at - 1])) {
      at--;
    }
    if (isAtSpace || isCut) {
      boolean endsInUrl = piece(text, from, at);
      isInUrl = isCut && endsInUrl;
    } else {
      hold(text, from, at);
    }
    return isAtSpace ? at + 1 : at;
  }

  private boolean piece(char[] text, int from, int to) {
    if (holds == 0) {
      return words.piece(text, from, to);
    }
    hold(text, from, to);
    int length = holds;
    holds = 0;
    return words.piece(held, 0, length);
  }

  private void hold(char[] text, int from, int to) {
    int length = holds + to - from;
    if (length > held.length) {
      held = Arrays.copyOf(held, Math.min(MOST_TOGETHER, 2 * length));
    }
    System.arraycopy(text, from, held, holds, to - from);
    holds = length;
  }

  /** The fingerprints of the text that ends here; the next one begins. */
  public Prints end() {
    if (holds > 0) {
      words.piece(held, 0, holds);
    }
    holds = 0;
    isInUrl = false;
    words.clear();
    return print.end();
  }
}
