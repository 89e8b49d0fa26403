package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.url.UrlScanner;
import java.util.Arrays;

/**
 * The value of the attribute that is read, of those that can hold an address, and what it means in
 * its tag; the same of a style. One for a mail, part of {@link HtmlTokens}.
 */
final class AttributeValue {

  /** Characters of the value of an attribute that are looked at. */
  static final int MOST_VALUE = UrlScanner.MAX_WORD;

  private static final int FIRST_VALUE = 256;
  private static final int LONGEST_SCHEME = 32;
  private static final String REFRESH = "refresh";

  private final HtmlSink sink;
  private final StyleUrls style;
  private char[] value = new char[0];
  private int length;

  /** The tag is {@code <meta http-equiv=refresh>}. */
  private boolean refresh;

  /** The first {@code http-equiv} and the first {@code content} count. */
  private boolean hasKind;

  private boolean hasContent;
  private String content = "";

  AttributeValue(HtmlSink sink) {
    this.sink = sink;
    this.style = new StyleUrls(sink);
  }

  /** Begins a tag. */
  void startTag() {
    refresh = false;
    hasKind = false;
    hasContent = false;
    content = "";
    style.end();
  }

  /** Begins a value; false for one that holds no address. */
  boolean start(long tag, long attribute) {
    length = 0;
    boolean ofRefresh =
        tag == HtmlNames.META
            && (attribute == HtmlNames.CONTENT || attribute == HtmlNames.HTTP_EQUIV);
    return ofRefresh
        || attribute == HtmlNames.STYLE
        || attribute == HtmlNames.CITE
        || HtmlNames.isLink(attribute)
        || HtmlNames.isLinks(attribute);
  }

  /** Takes a character. */
  void add(char c) {
    // browsers leave these out, and there may be any number of them
    if (c <= ' ' && (length == 0 || (isLineBreak(c) && isLineBreak(value[length - 1])))) {
      return;
    }
    if (length == MOST_VALUE) {
      leaveUserOut();
      if (length == MOST_VALUE) {
        sink.skipped(Skipped.LONG_ATTRIBUTE);
        return;
      }
    }
    if (length == value.length) {
      value = Arrays.copyOf(value, Math.max(FIRST_VALUE, length * 2));
    }
    value[length++] = c;
  }

  private static boolean isLineBreak(char c) {
    return c == '\t' || c == '\r' || c == '\n';
  }

  /**
   * No host is as long as the value, so what is behind the scheme is the user's name, as far as no
   * path has begun: the host is still to come.
   */
  private void leaveUserOut() {
    int scheme = 0;
    while (scheme < LONGEST_SCHEME && value[scheme] != ':') {
      scheme++;
    }
    scheme = scheme == LONGEST_SCHEME ? 0 : scheme + 1;
    int user = scheme;
    while (user < length && isSlash(value[user])) {
      user++;
    }
    for (int i = user; i < length; i++) {
      if (isSlash(value[i]) || value[i] == '?' || value[i] == '#') {
        return;
      }
    }
    if (user > 0) {
      length = Math.min(user, scheme + 2);
    }
  }

  private static boolean isSlash(char c) {
    return c == '/' || c == '\\';
  }

  /** Ends a value of an attribute of a tag. */
  void end(long tag, long attribute) {
    if (attribute == HtmlNames.STYLE) {
      style(value, length);
      return;
    }
    String text = new String(value, 0, length);
    length = 0;
    if (tag == HtmlNames.META && attribute == HtmlNames.HTTP_EQUIV) {
      refresh = hasKind ? refresh : text.strip().equalsIgnoreCase(REFRESH);
      hasKind = true;
    } else if (tag == HtmlNames.META && attribute == HtmlNames.CONTENT) {
      content = hasContent ? content : text;
      hasContent = true;
    } else if (tag == HtmlNames.BASE && attribute == HtmlNames.HREF) {
      sink.base(text);
    } else if (attribute == HtmlNames.CITE) {
      sink.mention(text);
    } else if (HtmlNames.isLinks(attribute)) {
      for (String one : text.split("[\\s,]+", -1)) {
        sink.link(one);
      }
    } else {
      sink.link(text);
    }
  }

  private void style(char[] text, int to) {
    for (int i = 0; i < to; i++) {
      style.put(text[i]);
    }
    style.end();
  }

  /** A character inside a tag whose content has no tags in it. */
  void raw(long tag, char c) {
    if (tag == HtmlNames.STYLE) {
      style.put(c);
    }
  }

  /** Ends the tag: only now both attributes of a refresh are known. */
  void endOfTag() {
    if (refresh && !content.isEmpty()) {
      sink.refresh(content);
    }
  }
}
