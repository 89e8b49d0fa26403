package io.bloomgate.blocklists.campaign;

import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Likeness;
import org.jspecify.annotations.Nullable;

/**
 * Takes the visible text of a mail in pieces and gives its fingerprints. However the text is cut
 * into pieces, the fingerprints are the same. One object serves one mail after the other on one
 * thread; it keeps about 9 kB, 30 kB after texts whose characters become many.
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

  /** Characters that are collected, so that it costs little in how small pieces a text comes. */
  private static final int COLLECTED = 4 * MOST_TOGETHER;

  /** Octets of memory that every text takes, about. */
  private static final int LEAST_OCTETS = 8 * 1024;

  private final WordPrint print;
  private final BodyWords words;
  private final char[] text = new char[COLLECTED];

  /** Characters of the text that are not read yet. */
  private int length;

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

  /** Octets of memory that it takes, about. */
  public int keptOctets() {
    return LEAST_OCTETS + print.octets();
  }

  /** The next characters of the text. */
  public void put(char[] next, int from, int count) {
    int end = from + count;
    int at = from;
    while (at < end && !print.isFull()) {
      int some = Math.min(end - at, COLLECTED - length);
      System.arraycopy(next, at, text, length, some);
      at += some;
      length += some;
      if (length == COLLECTED) {
        int read = read(length - MOST_TOGETHER);
        length -= read;
        System.arraycopy(text, read, text, 0, length);
      }
    }
  }

  /**
   * Reads what is collected, at least up to a place behind which the text may go on within a piece,
   * or all.
   *
   * @return how much is read
   */
  private int read(int enough) {
    int at = 0;
    while (at < enough && !print.isFull()) {
      if (isInUrl) {
        at = inUrl(at);
      } else {
        int next = latin(at);
        at = next > at ? next : next(at);
      }
    }
    return at;
  }

  /**
   * Reads as much at once as is ISO 8859-1 and needs no look at single pieces, for speed.
   *
   * @return where it ends, behind white space
   */
  private int latin(int from) {
    if (!LatinWords.isLatin(text[from])) {
      return from;
    }
    // Every piece up to the last space among these is short enough.
    int taken = words.take(text, from, Math.min(length, from + MOST_TOGETHER));
    int to = from + taken;
    while (to > from && !PlainText.isSpace(text[to - 1])) {
      to--;
    }
    if (to > from) {
      var _ = words.pieces(to - from);
    } else if (taken == MOST_TOGETHER) {
      isInUrl = words.pieces(taken);
      to = from + taken;
    }
    return to;
  }

  private int inUrl(int from) {
    int at = from;
    while (at < length && !BodyWords.endsUrl(text[at])) {
      at++;
    }
    isInUrl = at == length;
    return at;
  }

  /** Reads a piece, or as much of it as is looked at together. */
  private int next(int from) {
    int limit = Math.min(length, from + MOST_TOGETHER);
    int at = from;
    while (at < limit && !PlainText.isSpace(text[at])) {
      at++;
    }
    boolean isAtSpace = at < limit;
    boolean isCut = !isAtSpace && at - from == MOST_TOGETHER;
    if (isCut && Character.isHighSurrogate(text[at - 1])) {
      at--;
    }
    boolean endsInUrl = words.piece(text, from, at);
    isInUrl = isCut && endsInUrl;
    return isAtSpace ? at + 1 : at;
  }

  /** The fingerprints of the text that ends here; the next one begins. */
  public Prints end() {
    var _ = read(length);
    length = 0;
    isInUrl = false;
    return print.end();
  }
}
