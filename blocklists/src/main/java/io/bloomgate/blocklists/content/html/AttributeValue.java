package io.bloomgate.blocklists.content.html;

import org.jspecify.annotations.Nullable;

/**
 * The value of the attribute that is read, of those that can hold an address, and what it means in
 * its tag; the same of a style. One for a mail, part of {@link HtmlTokens}.
 */
final class AttributeValue {

  private static final String REFRESH = "refresh";

  /** The line above a quote, as Outlook for Windows draws it. */
  private static final String RULE = "border-top:solid";

  private static final String DIGITS = "0123456789.";

  /** Beside white space and digits, what is in front of the URL of a refresh. */
  private static final String IN_FRONT = ";,=urlURL'\"";

  private final HtmlSink sink;
  private final StyleUrls style;
  private final ScriptUrls script;
  private final UrlBuffer value;

  /** What the value is. */
  private boolean isStyle;

  private boolean isLinks;
  private boolean isValues;
  private boolean isFrame;

  /** The page of a frame, {@code null} inside of one: there is no frame in a frame. */
  private @Nullable HtmlTokens frame;

  private final boolean framed;
  private final char[] one = new char[1];

  /** Characters of {@link #RULE} that were seen in the style of the tag. */
  private int ofRule;

  /** In front of the URL of a refresh. */
  private boolean isDelay;

  private char last;

  /** The tag is {@code <meta http-equiv=refresh>}. */
  private boolean refresh;

  /** The first {@code http-equiv} and the first {@code content} count. */
  private boolean hasKind;

  private boolean hasContent;
  private String content = "";

  AttributeValue(HtmlSink sink) {
    this.sink = sink;
    this.value = new UrlBuffer(sink::keep);
    this.framed = sink instanceof FramePage;
    this.style = new StyleUrls(sink);
    this.script = new ScriptUrls(sink);
  }

  /** Begins a tag. */
  void startTag() {
    refresh = false;
    hasKind = false;
    hasContent = false;
    if (!content.isEmpty()) {
      content("");
    }
    ofRule = 0;
    style.end();
    script.end();
  }

  /** Begins a value; false for one that holds no address. */
  boolean start(long tag, long attribute) {
    value.clear();
    isStyle = attribute == HtmlNames.STYLE;
    isLinks = HtmlNames.isLinks(attribute);
    isValues = attribute == HtmlNames.VALUES;
    isFrame = attribute == HtmlNames.SRCDOC && !framed;
    if (isFrame) {
      HtmlTokens page = frame == null ? new HtmlTokens(new FramePage(sink)) : frame;
      frame = page;
      page.start(HtmlTokens.Rules.BROWSER);
    }
    isDelay = tag == HtmlNames.META && attribute == HtmlNames.CONTENT;
    last = 0;
    boolean ofRefresh =
        tag == HtmlNames.META
            && (attribute == HtmlNames.CONTENT || attribute == HtmlNames.HTTP_EQUIV);
    return ofRefresh
        || isStyle
        || isLinks
        || isFrame
        || attribute == HtmlNames.CITE
        || HtmlNames.isLink(attribute);
  }

  /** Takes a character. */
  void add(char c) {
    HtmlTokens page = frame;
    if (isFrame && page != null) {
      one[0] = c;
      page.put(one, 0, 1);
    } else if (isStyle) {
      style.put(c);
      if (!hasRule()) {
        ofRule = c == RULE.charAt(ofRule) ? ofRule + 1 : c == RULE.charAt(0) ? 1 : 0;
      }
    } else if (isLinks && (c == ',' || (c == ';' && isValues) || HtmlNames.isBlank(c))) {
      endLink();
    } else if (!(isDelay && repeats(c)) && !value.add(c)) {
      sink.longAttribute();
    }
  }

  /** True for a tag with a line above it. */
  boolean hasRule() {
    return ofRule == RULE.length();
  }

  /** A blank or a digit behind another one, in front of the URL of a refresh. */
  private boolean repeats(char c) {
    boolean digit = DIGITS.indexOf(c) >= 0;
    boolean blank = HtmlNames.isBlank(c);
    boolean again = digit ? DIGITS.indexOf(last) >= 0 : blank && HtmlNames.isBlank(last);
    isDelay = digit || blank || IN_FRONT.indexOf(c) >= 0;
    last = c;
    return again;
  }

  /** One of several. */
  private void endLink() {
    if (!value.isEmpty()) {
      value.link(sink);
    }
  }

  /** Ends a value of an attribute of a tag. */
  void end(long tag, long attribute) {
    HtmlTokens page = frame;
    if (isFrame && page != null) {
      page.end();
      return;
    }
    if (isStyle) {
      style.end();
      return;
    }
    if (isLinks) {
      endLink();
      return;
    }
    if (tag == HtmlNames.META && attribute == HtmlNames.HTTP_EQUIV) {
      refresh = hasKind ? refresh : value.toString().strip().equalsIgnoreCase(REFRESH);
      hasKind = true;
    } else if (tag == HtmlNames.META && attribute == HtmlNames.CONTENT) {
      if (!hasContent) {
        content(value.toString());
      }
      hasContent = true;
    } else if (tag == HtmlNames.BASE && attribute == HtmlNames.HREF) {
      sink.base(value.toString());
    } else if (attribute == HtmlNames.CITE) {
      sink.mention(value.toString());
    } else {
      value.link(sink);
    }
  }

  private void content(String now) {
    sink.keep((now.length() - content.length()) * Character.BYTES);
    content = now;
  }

  /** A character inside a tag whose content has no tags in it. */
  void raw(long tag, char c) {
    if (tag == HtmlNames.STYLE) {
      style.put(c);
    } else if (tag == HtmlNames.SCRIPT) {
      script.put(c);
    }
  }

  /** Ends the tag: only now both attributes of a refresh are known. */
  void endOfTag() {
    if (refresh && !content.isEmpty()) {
      sink.refresh(content);
    }
  }
}
