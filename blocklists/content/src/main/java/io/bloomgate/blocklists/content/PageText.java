package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.content.VisibleText.Kind;
import io.bloomgate.blocklists.content.VisibleText.Span;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeTraversor;
import org.jsoup.select.NodeVisitor;

/**
 * Reads HTML by the rules of WHATWG, as jsoup has them: its visible text, and what its attributes
 * and styles lead to. Used by {@link Texts} for one page; of one thread.
 */
final class PageText implements NodeVisitor {

  /** Tags of a page that are read: jsoup keeps each in about 200 octets until the page ends. */
  static final int MAX_TAGS = 40_000;

  /**
   * {@code <html>} and {@code <body>} of a page: all their attributes become those of the first.
   */
  private static final int MAX_ROOTS = 10;

  /** Octets of memory for each octet of a page, at most, until its tree is read. */
  static final long TREE_OCTETS = 20;

  /** Attributes of an element that jsoup keeps; what follows is lost. */
  static final int MAX_ATTRIBUTES = 512;

  /**
   * Elements around each other; more become siblings, so that no loop looks at more. At each tag
   * jsoup may look at all of them.
   */
  private static final int MAX_DEPTH = 100;

  /** {@code url(...)} of a style, and the string of an import; css-syntax-3. */
  private static final Pattern STYLE_URL =
      Pattern.compile(
          "(?:url\\(\\s*+|@import\\s++(?!url\\())[\"']?+([^\"'()\\s<>]{1,4096}+)",
          Pattern.CASE_INSENSITIVE);

  /** Separator of the links of one attribute. */
  private static final Pattern LINKS = Pattern.compile("[\\s,]+");

  private static final Pattern STYLE_ESCAPE = Pattern.compile("\\\\([0-9a-fA-F]{1,6})\\s?");

  /** HTML, section "shared declarative refresh steps". */
  private static final Pattern REFRESH =
      Pattern.compile(
          "\\s*+[0-9.]*+[;,\\s]++(?:url\\s*+=\\s*+)?+[\"']?+([^\"']++).*+",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** A comment that Outlook reads as HTML: {@code <!--[if mso]>...<![endif]-->}. */
  private static final Pattern CONDITIONAL =
      Pattern.compile("\\[if [^]]*+]>(.*)<!\\[endif]", Pattern.DOTALL);

  private final VisibleText found;
  private final boolean isFile;
  private String base = "";
  private int quotes;
  private int quoteFrom;
  private boolean inComment;

  private PageText(VisibleText found, boolean isFile) {
    this.found = found;
    this.isFile = isFile;
  }

  /**
   * Reads a page.
   *
   * @param html of at most {@link #MAX_TAGS} tags
   * @param isXml true for XHTML, SVG and other XML
   * @param isFile true for an attachment, which a browser opens that runs its scripts
   * @param found takes the text and the links
   * @return what the page says its links are relative to; empty for nothing
   */
  static String read(String html, boolean isXml, boolean isFile, VisibleText found) {
    PageText page = new PageText(found, isFile);
    NodeTraversor.traverse(page, parsed(html, isXml));
    return page.base;
  }

  /** Finds the end of the tags that are read: in front of one too many, or the end of the text. */
  static int end(String html) {
    int tags = 0;
    int roots = 0;
    int closed = html.indexOf("-->");
    int bang = html.indexOf("--!>");
    int at = html.indexOf('<');
    while (at >= 0) {
      char next = at + 1 < html.length() ? html.charAt(at + 1) : ' ';
      boolean isTag = (next | 0x20) >= 'a' && (next | 0x20) <= 'z';
      boolean isRoot = isTag && (isName(html, at + 1, "html") || isName(html, at + 1, "body"));
      tags += isTag || "/!?".indexOf(next) >= 0 ? 1 : 0;
      roots += isRoot ? 1 : 0;
      if (tags > MAX_TAGS || roots > MAX_ROOTS) {
        return at;
      }
      int behind = at;
      if (html.startsWith("<!--", at)) {
        closed = closed >= 0 && closed < at + 2 ? html.indexOf("-->", at + 2) : closed;
        bang = bang >= 0 && bang < at ? html.indexOf("--!>", at) : bang;
        behind = bang >= 0 && (closed < 0 || bang < closed) ? bang : closed;
      }
      at = behind < 0 ? -1 : html.indexOf('<', behind + 1);
    }
    return html.length();
  }

  private static boolean isName(String html, int at, String name) {
    return html.regionMatches(true, at, name, 0, name.length());
  }

  private static Document parsed(String html, boolean isXml) {
    Parser parser = isXml ? Parser.xmlParser() : Parser.htmlParser();
    return parser.setMaxDepth(MAX_DEPTH).parseInput(html, "");
  }

  @Override
  public void head(Node node, int depth) {
    switch (node) {
      case TextNode text -> {
        Element parent = text.parent();
        if (parent == null || !parent.nameIs("title")) {
          found.text.append(text.getWholeText());
        }
      }
      case Element element -> element(element);
      case DataNode data -> data(data);
      case Comment comment -> comment(comment.getData());
      default -> {}
    }
  }

  @Override
  public void tail(Node node, int depth) {
    if (node instanceof Element element) {
      if (element.nameIs("blockquote") && --quotes == 0) {
        found.quotes.add(new Span(quoteFrom, found.text.length()));
      }
      if (endsLine(element)) {
        found.line();
      }
    }
  }

  private void element(Element element) {
    if (endsLine(element)) {
      found.line();
    }
    switch (element.normalName()) {
      case "blockquote" -> {
        if (quotes++ == 0) {
          quoteFrom = found.text.length();
        }
      }
      case "br" -> found.text.append('\n');
      case "hr" -> found.rules.add(found.text.length());
      case "base" -> base = base.isEmpty() ? element.attr("href") : base;
      case "meta" -> {
        if (element.attr("http-equiv").equalsIgnoreCase("refresh")) {
          Matcher refresh = REFRESH.matcher(element.attr("content"));
          if (refresh.matches()) {
            found.link(refresh.group(1), Kind.FOLLOWED);
          }
        }
      }
      default -> {}
    }
    found.isLimited |= element.attributesSize() >= MAX_ATTRIBUTES;
    if (element.attributesSize() > 0) {
      for (Attribute attribute : element.attributes()) {
        attribute(attribute.getKey().toLowerCase(Locale.ROOT), attribute.getValue());
      }
    }
  }

  private static boolean endsLine(Element element) {
    return element.isBlock() || element.nameIs("td") || element.nameIs("th");
  }

  private void attribute(String name, String value) {
    switch (name) {
      case "href", "src", "action", "formaction", "background", "data", "poster", "longdesc" ->
          found.link(value, Kind.FOLLOWED);
      case "lowsrc", "dynsrc", "codebase", "action-xhr", "xlink:href" ->
          found.link(value, Kind.FOLLOWED);
      case "srcset", "imagesrcset", "ping" -> {
        LINKS.splitAsStream(value).forEach(one -> found.link(one, Kind.FOLLOWED));
      }
      case "cite" -> found.link(value, Kind.MENTIONED);
      case "style" -> {
        style(value);
        if (value.contains("border-top:solid")) {
          found.rules.add(found.text.length()); // that Outlook draws above what it quotes
        }
      }
      default -> {}
    }
  }

  private void data(DataNode data) {
    Element parent = data.parent();
    if (parent != null && parent.nameIs("style")) {
      style(data.getWholeData());
    } else if (isFile) {
      found.link(data.getWholeData().replace("\\/", "/"), Kind.MENTIONED);
    }
  }

  private void style(String style) {
    if (style.indexOf('(') < 0 && style.indexOf('@') < 0) {
      return;
    }
    String plain =
        style.indexOf('\\') < 0
            ? style
            : STYLE_ESCAPE.matcher(style).replaceAll(escape -> character(escape.group(1)));
    Matcher urls = STYLE_URL.matcher(plain);
    while (urls.find()) {
      found.link(urls.group(1), Kind.FOLLOWED);
    }
  }

  private static String character(String hex) {
    int codePoint = Integer.parseInt(hex, 16);
    return Character.isValidCodePoint(codePoint)
        ? Matcher.quoteReplacement(Character.toString(codePoint))
        : "";
  }

  private void comment(String text) {
    if (!inComment && text.startsWith("[if ")) {
      Matcher conditional = CONDITIONAL.matcher(text);
      if (conditional.lookingAt()) {
        inComment = true;
        NodeTraversor.traverse(this, parsed(conditional.group(1), false));
        inComment = false;
      }
    }
  }
}
