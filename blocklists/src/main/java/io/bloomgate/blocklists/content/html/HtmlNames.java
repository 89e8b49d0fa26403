package io.bloomgate.blocklists.content.html;

/**
 * Names of tags and attributes as numbers, so that a tokenizer compares them without a text: five
 * bits a character, up to twelve; a negative hash for a longer one. Used by {@link HtmlTokens}.
 */
final class HtmlNames {

  private static final int MOST = 12;
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  static final long BASE = of("base");
  static final long META = of("meta");
  static final long SCRIPT = of("script");
  static final long STYLE = of("style");
  static final long TITLE = of("title");

  static final long SVG = of("svg");
  static final long MATH = of("math");

  private static final long BLOCKQUOTE = of("blockquote");
  private static final long HR = of("hr");

  /** Says where a quote is from. */
  static final long CITE = of("cite");

  static final long HREF = of("href");
  static final long CONTENT = of("content");
  static final long SRCDOC = of("srcdoc");

  /** Of an animation of SVG, which can change where a link leads. */
  static final long VALUES = of("values");

  static final long HTTP_EQUIV = of("http-equiv");

  /** Attributes whose value is a URL. */
  private static final long[] LINKS =
      set(
          HREF,
          of("src"),
          of("action"),
          of("background"),
          of("formaction"),
          of("data"),
          of("xlink:href"),
          of("poster"),
          of("longdesc"),
          of("lowsrc"),
          of("dynsrc"),
          of("codebase"),
          of("action-xhr"),
          of("from"),
          of("to"));

  /** Attributes whose value is several of them. */
  private static final long[] LISTS_OF_LINKS =
      set(of("srcset"), of("imagesrcset"), of("ping"), VALUES);

  /** Tags inside a line of text; around all others words end. */
  private static final long[] INLINE =
      set(
          of("a"),
          of("abbr"),
          of("acronym"),
          of("b"),
          of("bdi"),
          of("bdo"),
          of("big"),
          of("cite"),
          of("code"),
          of("data"),
          of("del"),
          of("dfn"),
          of("em"),
          of("font"),
          of("i"),
          of("ins"),
          of("kbd"),
          of("label"),
          of("mark"),
          of("nobr"),
          of("q"),
          of("s"),
          of("samp"),
          of("small"),
          of("span"),
          of("strike"),
          of("strong"),
          of("sub"),
          of("sup"),
          of("tt"),
          of("u"),
          of("var"),
          of("wbr"),
          of("o:p"),
          of("blink"));

  private static final long[] RAW_IN_BROWSERS =
      set(of("textarea"), of("xmp"), of("iframe"), of("noembed"), of("noframes"));

  private static final long[] PAGES_IN_SVG = set(of("foreignobject"), of("desc"), TITLE);
  private static final long[] PAGES_IN_MATH =
      set(of("mi"), of("mo"), of("mn"), of("ms"), of("mtext"));

  private static final long PARAGRAPH = of("p");
  private static final long BREAK = of("br");

  /**
   * WHATWG HTML section 13.2.6.5; {@code font} only with some attributes, so that it is left out.
   */
  private static final long[] END_FOREIGN =
      set(
          of("b"),
          of("big"),
          of("blockquote"),
          of("body"),
          BREAK,
          of("center"),
          of("code"),
          of("dd"),
          of("div"),
          of("dl"),
          of("dt"),
          of("em"),
          of("embed"),
          of("h1"),
          of("h4"),
          of("head"),
          of("hr"),
          of("i"),
          of("img"),
          of("li"),
          of("listing"),
          of("menu"),
          META,
          of("nobr"),
          of("ol"),
          PARAGRAPH,
          of("pre"),
          of("ruby"),
          of("s"),
          of("small"),
          of("span"),
          of("strong"),
          of("strike"),
          of("sub"),
          of("sup"),
          of("table"),
          of("tt"),
          of("u"),
          of("ul"),
          of("var"));

  private HtmlNames() {}

  /** The number of a name in lower case. */
  private static long of(String name) {
    long number = 0;
    for (int i = 0; i < name.length(); i++) {
      number = more(number, i, name.charAt(i));
    }
    return number;
  }

  /**
   * The number of a name that goes on.
   *
   * @param length characters so far
   */
  static long more(long number, int length, char c) {
    int lower = c >= 'A' && c <= 'Z' ? c | 0x20 : c;
    int digit =
        lower >= 'a' && lower <= 'z'
            ? lower - 'a' + 1
            : lower == '-' ? 27 : lower == ':' ? 28 : lower >= '1' && lower <= '6' ? 29 : 30;
    return length < MOST ? (number << 5) | digit : (number * 31 + digit) | Long.MIN_VALUE;
  }

  /** True for a tag around a quote, and for the line that Outlook draws above one. */
  static boolean isQuote(long tag) {
    return tag == BLOCKQUOTE || tag == HR;
  }

  /** True for a tag whose content has no tags in it for browsers and for most other readers. */
  static boolean isRaw(long tag) {
    return tag == SCRIPT || tag == STYLE || tag == TITLE;
  }

  /** True for a tag whose content has no tags in it for browsers, and has for other readers. */
  static boolean isRawInBrowsers(long tag) {
    return isIn(RAW_IN_BROWSERS, tag);
  }

  /** True for a tag of HTML in front of which SVG and MathML end. */
  static boolean endsForeign(long tag) {
    return isIn(END_FOREIGN, tag);
  }

  /** True for the two end tags in front of which SVG and MathML end. */
  static boolean isParagraphOrBreak(long tag) {
    return tag == PARAGRAPH || tag == BREAK;
  }

  /** True for a tag of SVG, or of MathML, whose content is HTML. */
  static boolean isPageInForeign(long tag, boolean math) {
    return isIn(math ? PAGES_IN_MATH : PAGES_IN_SVG, tag);
  }

  static boolean isLink(long attribute) {
    return isIn(LINKS, attribute);
  }

  static boolean isLinks(long attribute) {
    return isIn(LISTS_OF_LINKS, attribute);
  }

  static boolean isInline(long tag) {
    return isIn(INLINE, tag);
  }

  /** A table of names with empty places between them. */
  private static long[] set(long... names) {
    long[] table = new long[Integer.highestOneBit(names.length) << 3];
    for (long name : names) {
      int place = place(table, name);
      while (table[place] != 0) {
        place = (place + 1) & (table.length - 1);
      }
      table[place] = name;
    }
    return table;
  }

  private static int place(long[] table, long name) {
    return (int) ((name * MULTIPLIER) >>> 40) & (table.length - 1);
  }

  private static boolean isIn(long[] table, long name) {
    int place = place(table, name);
    while (table[place] != 0 && table[place] != name) {
      place = (place + 1) & (table.length - 1);
    }
    return table[place] != 0;
  }

  /** True for an ASCII letter. */
  static boolean isLetter(char c) {
    int lower = c | 0x20;
    return lower >= 'a' && lower <= 'z';
  }

  /** True for what HTML calls white space. */
  static boolean isBlank(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f';
  }
}
