package io.bloomgate.blocklists.content.html;

/**
 * Whether there are tags in the content of a tag, by the rules that a text is read by. Part of
 * {@link HtmlTokens}.
 */
final class TagContent {

  private final ForeignTags foreign = new ForeignTags();
  private HtmlTokens.Rules rules = HtmlTokens.Rules.BROWSER;
  private int foreignBefore;
  private boolean differs;

  /** Begins a text. */
  void start(HtmlTokens.Rules by) {
    rules = by;
    foreign.start();
    differs = false;
  }

  /** True when simple readers may read the rest in another way. */
  boolean differs() {
    return differs;
  }

  /** A tag seems to begin where there is none; true when only now the readings differ. */
  boolean differsInRaw() {
    boolean first = rules == HtmlTokens.Rules.BROWSER && !differs;
    differs |= first;
    return first;
  }

  boolean isXml() {
    return rules == HtmlTokens.Rules.XML;
  }

  /** True where CDATA is known. */
  boolean isForeign() {
    return isXml() || foreign.isInside();
  }

  /**
   * Takes a tag.
   *
   * @param closesItself with a slash at its end
   * @return true when all that follows up to its end tag is text
   */
  boolean isRawBehind(long tag, boolean endTag, boolean closesItself) {
    if (isXml()) {
      return false;
    }
    boolean browser = rules == HtmlTokens.Rules.BROWSER;
    if (endTag) {
      foreign.close(tag);
      return false;
    }
    if (browser && foreign.open(tag, closesItself)) {
      differs = true;
      return false;
    }
    boolean rawInBrowsers = browser && HtmlNames.isRawInBrowsers(tag);
    differs |= rawInBrowsers;
    // Where a style ends, and whether one begins, is the widest field of differences.
    return rawInBrowsers || (HtmlNames.isRaw(tag) && (browser || tag == HtmlNames.SCRIPT));
  }

  /** A comment begins that Outlook reads as HTML. */
  void startConditional() {
    foreignBefore = foreign.size();
  }

  /** It ends: for other readers no tag began in it. */
  void endConditional() {
    foreign.closeAbove(foreignBefore);
  }
}
