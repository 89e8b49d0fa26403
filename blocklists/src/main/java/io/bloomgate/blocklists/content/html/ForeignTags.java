package io.bloomgate.blocklists.content.html;

/**
 * Whether a tag is inside SVG or MathML, where styles and titles have tags in them and CDATA is
 * known; WHATWG HTML section 13.2.6.5, without the elements of HTML inside of it. Part of {@link
 * HtmlTokens}.
 */
final class ForeignTags {

  /** Tags inside each other that are looked at. */
  private static final int MOST = 64;

  private static final long[] NO_NAMES = {};
  private static final boolean[] NONE = {};

  private long[] names = NO_NAMES;
  private boolean[] ofMath = NONE;

  /** The content of the tag is HTML again. */
  private boolean[] page = NONE;

  private int size;

  void start() {
    size = 0;
  }

  /** Open tags. */
  int size() {
    return size;
  }

  /** Closes all tags but this number. */
  void closeAbove(int most) {
    size = Math.min(size, most);
  }

  boolean isInside() {
    return size > 0 && !page[size - 1];
  }

  /** Takes a tag that begins; true when it is one of SVG or MathML. */
  boolean open(long tag, boolean closesItself) {
    if (isInside() && HtmlNames.endsForeign(tag)) {
      leave();
      return false;
    }
    boolean foreign = isInside() || tag == HtmlNames.SVG || tag == HtmlNames.MATH;
    if (foreign && !closesItself) {
      push(tag, isInside() ? ofMath[size - 1] : tag == HtmlNames.MATH);
    }
    return foreign;
  }

  /** Takes a tag that ends. */
  void close(long tag) {
    if (isInside() && HtmlNames.isParagraphOrBreak(tag)) {
      leave();
      return;
    }
    for (int i = size - 1; i >= 0; i--) {
      if (names[i] == tag) {
        size = i;
        return;
      }
      if (page[i]) {
        return;
      }
    }
  }

  private void leave() {
    while (isInside()) {
      size--;
    }
  }

  private void push(long tag, boolean math) {
    if (names.length == 0) { // few mails have such tags
      names = new long[MOST];
      ofMath = new boolean[MOST];
      page = new boolean[MOST];
    }
    if (size < MOST) {
      names[size] = tag;
      ofMath[size] = math;
      page[size] = HtmlNames.isPageInForeign(tag, math);
      size++;
    }
  }
}
