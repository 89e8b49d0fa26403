package io.bloomgate.blocklists.content.html;

import io.bloomgate.blocklists.url.UrlScanner;
import io.bloomgate.config.name.WebUrl;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The characters of a URL that passes, of any length: behind {@link #MOST} only its host is still
 * waited for. Used by {@link AttributeValue} and {@link StyleUrls}.
 */
final class UrlBuffer {

  /** Characters that are kept. */
  static final int MOST = UrlScanner.MAX_WORD;

  private static final int FIRST = 64;

  private static final char[] NONE = {};

  private final IntConsumer grown;
  private char[] text = NONE;
  private int length;

  /** The path is too long: what follows is left out, and not looked at again. */
  private boolean full;

  /**
   * Without a URL.
   *
   * @param grown takes the octets of memory that it needs more
   */
  UrlBuffer(IntConsumer grown) {
    this.grown = grown;
  }

  /** Begins a URL. */
  void clear() {
    length = 0;
    full = false;
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** Takes a character; false when it is left out, because the path is too long. */
  boolean add(char c) {
    if (full) {
      return false;
    }
    // browsers leave these out, and there may be any number of them
    if (c <= ' ' && (length == 0 || (isLineBreak(c) && isLineBreak(text[length - 1])))) {
      return true;
    }
    if (length == MOST) {
      length = WebUrl.shortened(text, length);
      if (length == MOST) {
        full = true;
        return false;
      }
    }
    if (length == text.length) {
      int room = Math.max(FIRST, length * 2);
      grown.accept((room - length) * Character.BYTES);
      text = Arrays.copyOf(text, room);
    }
    text[length++] = c;
    return true;
  }

  private static boolean isLineBreak(char c) {
    return c == '\t' || c == '\r' || c == '\n';
  }

  /** Ends the URL. */
  String take() {
    String taken = toString();
    clear();
    return taken;
  }

  /** Ends the URL, and hands it on as a link. */
  void link(HtmlSink sink) {
    int all = length;
    clear();
    sink.link(text, all);
  }

  @Override
  public String toString() {
    return new String(text, 0, length);
  }
}
