package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.WebUrl;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the URLs of a text that passes in pieces, in the order of its words; a redirector's URL is
 * followed by those that it leads to. Where the pieces are cut makes no difference. The reader of a
 * mail has one for its texts, one after the other; of one thread. Memory is bounded by {@link
 * #MAX_WORD}, and a text without URLs makes no objects.
 *
 * <p>The caller joins what the text only wraps: soft line breaks, entities, markup inside a URL.
 */
public final class UrlScanner {

  /**
   * Characters of a word without white space that are looked at together. A URL that is longer is
   * cut there; its host and the beginning of its path still count.
   */
  public static final int MAX_WORD = WebUrl.MAX_CHARACTERS;

  private static final int FIRST_BUFFER = 64;
  private static final int FIRST_KEPT = 16;

  private static final char[] NONE = {};

  private final UrlsLeft left;
  private final FoundSink found;
  private final WordReader reader;
  private boolean plainText;
  private @Nullable SpokenUrls spoken;
  private @Nullable BracketedUrls bracketed;

  /** In the rest of the piece nobody looked for brackets yet. */
  private boolean mayOpen;

  /** The beginning of a word whose end has not come yet. */
  private char[] carried = NONE;

  private int carriedLength;
  private int carriedKinds;

  /** The word is longer than {@link #MAX_WORD}. */
  private boolean open;

  /** The rest of the word belongs to a URL that was cut. */
  private boolean skipping;

  /** The last word, for a name that is spoken; in the piece of text, or kept from an older one. */
  private char[] last = NONE;

  private int lastFrom;
  private int lastTo;
  private long work;
  private char[] kept = NONE;

  /**
   * A scanner at the beginning of a text.
   *
   * @param plainText whether bare names such as {@code example.com} are wanted
   * @param left of the mail
   */
  public UrlScanner(boolean plainText, UrlsLeft left, Consumer<FoundUrl> sink) {
    this.left = left;
    this.found = new FoundSink(left, sink);
    this.reader = new WordReader(left, found);
    start(plainText);
  }

  /**
   * Begins another text, behind {@link #end}.
   *
   * @param isPlain as for the first text
   */
  public void start(boolean isPlain) {
    plainText = isPlain;
    carriedLength = 0;
    carriedKinds = 0;
    open = false;
    skipping = false;
    lastTo = lastFrom;
    SpokenUrls words = spoken;
    if (words != null) {
      words.start();
    }
    if (isPlain) {
      BracketedUrls urls = bracketed == null ? new BracketedUrls(reader, left) : bracketed;
      bracketed = urls;
      urls.start();
    }
  }

  /** Characters that were looked at or moved so far, for the test of linear time. */
  long work() {
    return work + reader.work();
  }

  /** The next characters of the text, {@code from} to {@code to} (exclusive). */
  public void put(char[] text, int from, int to) {
    work += to - from;
    BracketedUrls urls = bracketed;
    mayOpen = plainText;
    if (plainText && urls != null && urls.isOpen()) {
      inBrackets(text, from, to);
    }
    int start = skip(text, from, to);
    int kinds = 0;
    for (int i = start; i < to; i++) {
      int kind = TextKinds.of(text[i]);
      if ((kind & TextKinds.END) == 0) {
        kinds |= kind;
        continue;
      }
      if (i > start || carriedLength > 0) {
        endWord(text, start, i, kinds);
      }
      if (kind == TextKinds.OPENS) {
        inBrackets(text, i, to);
      }
      skipping = false;
      open = false;
      start = skip(text, i + 1, to);
      i = start - 1;
      kinds = 0;
    }
    keepLast();
    carry(text, start, to, kinds);
  }

  /** The rest of the piece, from the first character on that may open a bracket or a quote. */
  private void inBrackets(char[] text, int from, int to) {
    BracketedUrls urls = bracketed;
    if (mayOpen && urls != null) {
      mayOpen = false;
      urls.put(text, from, to);
      left.read(reader.takeCost());
    }
  }

  /** Passes over words that mean nothing, for speed; returns where the next one begins. */
  private int skip(char[] text, int from, int to) {
    if (carriedLength > 0 || skipping || open || isSpoken()) {
      return from;
    }
    int plain = TextKinds.behindPlain(text, from, to);
    while (plain < to && TextKinds.isEnd(text[plain])) {
      inBrackets(text, plain, to);
      plain = TextKinds.behindPlain(text, plain + 1, to);
    }
    int start = wordStart(text, from, plain);
    int end = start;
    while (end > from && TextKinds.isEnd(text[end - 1])) {
      end--;
    }
    if (end > from) {
      last(text, wordStart(text, from, end), end);
    }
    return start;
  }

  private boolean isSpoken() {
    SpokenUrls words = spoken;
    return words != null && words.isActive();
  }

  private static int wordStart(char[] text, int from, int to) {
    int start = to;
    while (start > from && !TextKinds.isEnd(text[start - 1])) {
      start--;
    }
    return start;
  }

  private void last(char[] text, int from, int to) {
    last = text;
    lastFrom = from;
    lastTo = to - from <= SpokenUrls.MAX_LABEL && !open ? to : from;
  }

  /** The end of the text; nothing may follow. */
  public void end() {
    endWord(carried, 0, 0, 0);
    SpokenUrls words = spoken;
    if (words != null) {
      words.finish();
    }
  }

  /** The rest of a word: what is carried, and this. */
  private void endWord(char[] text, int from, int to, int kinds) {
    if (carriedLength == 0 && to - from <= MAX_WORD && !skipping) {
      word(text, from, to, kinds);
      return;
    }
    carry(text, from, to, kinds);
    if (!skipping && carriedLength > 0) {
      int length = carriedLength;
      int carriedAll = carriedKinds;
      carriedLength = 0;
      carriedKinds = 0;
      word(carried, 0, length, carriedAll);
      keepLast();
    }
  }

  private void carry(char[] text, int from, int to, int kinds) {
    int at = from;
    while (at < to && !skipping) {
      if (carriedLength == MAX_WORD) {
        shorten();
        continue;
      }
      int length = Math.min(to - at, MAX_WORD - carriedLength);
      int needed = carriedLength + length;
      if (needed > carried.length) {
        int doubled = Math.max(FIRST_BUFFER, Integer.highestOneBit(needed) << 1);
        int room = Math.min(MAX_WORD, doubled);
        left.keep((room - carried.length) * Character.BYTES);
        carried = Arrays.copyOf(carried, room);
      }
      System.arraycopy(text, at, carried, carriedLength, length);
      work += length;
      carriedLength = needed;
      at += length;
    }
    carriedKinds |= kinds;
  }

  /** Reads the beginning of a word that is too long, and keeps only what is needed again. */
  private void shorten() {
    int needed = left.mayRead() ? reader.readOpen(carried, 0, MAX_WORD) : MAX_WORD;
    left.read(reader.takeCost());
    open = true;
    if ((needed == 0 || needed == MAX_WORD) && isScheme(0) && hostOnly()) {
      return;
    }
    if (needed == MAX_WORD) {
      skipping = true;
      carriedLength = 0;
      carriedKinds = 0;
      return;
    }
    // A scheme may begin at the very end.
    int from = Math.max(needed, MAX_WORD - Scheme.MAX_LENGTH);
    if (needed > 0 && isScheme(needed)) {
      from = needed;
    }
    carriedLength = MAX_WORD - from;
    System.arraycopy(carried, from, carried, 0, carriedLength);
    work += carriedLength;
  }

  /** Leaves out the name of a user, since the host may be still to come; false behind a host. */
  private boolean hostOnly() {
    char[] tail = Arrays.copyOfRange(carried, MAX_WORD - Scheme.MAX_LENGTH, MAX_WORD);
    int length = WebUrl.shortened(carried, MAX_WORD);
    if (length == MAX_WORD) {
      return false;
    }
    if (length <= Scheme.MAX_LENGTH) {
      System.arraycopy(tail, 0, carried, length, tail.length);
      length += tail.length;
    }
    carriedLength = length;
    work += length;
    return true;
  }

  private boolean isScheme(int at) {
    return UrlEnds.beginsUrl(carried, at, MAX_WORD);
  }

  private void word(char[] text, int from, int to, int kinds) {
    int length = to - from;
    if (length == 0 || (kinds != 0 && !left.mayRead())) {
      return;
    }
    boolean bare = plainText && !open && left.hasBare();
    if (isSpoken() || SpokenUrls.mayMatter(text, from, to)) {
      SpokenUrls words = spoken == null ? new SpokenUrls(reader) : spoken;
      spoken = words;
      bare &= !words.word(text, from, to, last, lastFrom, lastTo);
    }
    last(text, from, to);
    if (kinds == 0) {
      return;
    }
    if ((kinds & TextKinds.BRACKET) != 0) {
      char @Nullable [] plain = Refanged.plain(text, from, to);
      if (plain != null) {
        reader.read(plain, 0, plain.length, true, Form.DEFANGED);
        bare = false;
      }
    }
    // Also a word with a hidden dot: in the query of a URL the brackets hide nothing.
    reader.read(text, from, to, bare, Form.WHOLE);
    left.read(reader.takeCost());
  }

  /** The piece of text ends, and with it the caller's characters. */
  private void keepLast() {
    int length = lastTo - lastFrom;
    if (length > kept.length) {
      kept = new char[length > FIRST_KEPT ? SpokenUrls.MAX_LABEL : FIRST_KEPT];
    }
    System.arraycopy(last, lastFrom, kept, 0, length);
    last = kept;
    lastFrom = 0;
    lastTo = length;
  }

  /**
   * Finds the URL of an attribute that a mail program follows ({@code href}, {@code src}, {@code
   * action}), entities replaced, as browsers read it: white space around it and line breaks inside
   * are left out, {@code //host}, {@code http:host} and {@code http:\\host} are URLs. Other schemes
   * give nothing.
   *
   * @param value its first characters
   * @param base what relative references are relative to, or {@code null}; without it a bare name
   *     below a public suffix is {@link Form#SCHEMELESS}
   */
  public void link(char[] value, int length, @Nullable WebUrl base) {
    if (left.mayRead() && AttributeReader.attribute(value, length, base, left, found)) {
      left.read(length + UrlsLeft.EACH);
    }
  }

  /**
   * Finds the URL in the {@code content} of {@code <meta http-equiv=refresh>}, such as {@code 0;
   * url='https://example.com/'}.
   *
   * @param base as for {@link #link}
   */
  public void refresh(String content, @Nullable WebUrl base) {
    if (left.mayRead() && AttributeReader.refresh(content, base, left, found)) {
      left.read(content.length() + UrlsLeft.EACH);
    }
  }
}
