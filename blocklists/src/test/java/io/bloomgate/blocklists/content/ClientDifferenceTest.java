package io.bloomgate.blocklists.content;

import static io.bloomgate.blocklists.content.Mails.base64;
import static io.bloomgate.blocklists.content.Mails.html;
import static io.bloomgate.blocklists.content.Mails.mail;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Check;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * Mails that one mail client reads differently from another, found by an attack on the scanner:
 * each must give the host {@code bad.example.com}.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class ClientDifferenceTest {

  private static final String BAD = "http://bad.example.com/x";
  private static final String LINK = "<a href=\"" + BAD + "\">go</a>";

  private static String encoded(byte[] octets) {
    return Base64.getEncoder().encodeToString(octets);
  }

  private static String named(String type, String name) {
    return mail(type + "; name=\"" + name + "\"", "base64", base64("<html>" + LINK));
  }

  /** Tags whose content is text for browsers alone, and SVG and MathML, which only these know. */
  private static Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    for (String tag : List.of("textarea", "xmp", "noembed", "iframe", "noframes")) {
      pages.put(tag, "<" + tag + "><a x=\"</" + tag + ">" + LINK + "<a y=\"\">");
      pages.put(tag + " shown", "<" + tag + ">" + LINK + "</" + tag + ">");
      pages.put("style in " + tag, "<" + tag + "><style></" + tag + ">" + LINK);
    }
    String style = "<style><a x=\"</style>";
    for (String before :
        List.of(
            "<svg/>" + style,
            "<svg/><![CDATA[>",
            "<svg><p>" + style,
            "<svg><p><![CDATA[ ><p>",
            "<svg><desc>" + style + "</desc></svg>",
            "<svg><foreignObject>" + style + "</foreignObject></svg>",
            "<math><mtext>" + style + "</mtext></math>",
            "<svg></p>" + style,
            "<math></svg><style><p>",
            "<svg><svg></svg><style><p>",
            "<!--[i><x a=\"-->",
            "<!--[I><script>-->",
            "<!--[if><script>-->",
            "<!--[if mso]><x a=\"--!>",
            "<!--[if mso]><script>--!>")) {
      pages.put(before, before + LINK + "<b y=\"\">");
    }
    pages.put(
        "two contents", "<meta http-equiv=refresh content=\"0;url=" + BAD + "\" content=\"9\">");
    pages.put(
        "two kinds of meta",
        "<meta http-equiv=refresh http-equiv=x content=\"0;url=" + BAD + "\">");
    for (String ended : List.of("-->", "--!>", "f-->")) {
      pages.put(
          "<!--[i" + ended,
          "<!--[i" + ended + "<a title=\"-->\" href=\"ht&Tab;tp://bad.example.com/\">");
    }
    pages.put("late base", "<a href=x>y</a><base href=\"http://bad.example.com/\">");
    return pages;
  }

  /** Texts that their charset hides from some readers, or shows to some. */
  private static Map<String, String> charsets() {
    byte[] wide = LINK.getBytes(UTF_16LE);
    byte[] first = ("\u3000" + LINK).getBytes(UTF_16LE);
    String gbk = "<meta charset=gbk><a href=\"http://bad.example\u00a1\u00a3com/\">";
    String full = "<a href=\"http://\u00a3\u00e2\u00a3\u00e1\u00a3\u00e4.example.com/\">";
    return Map.ofEntries(
        Map.entry("mark in front of ASCII", mail("text/html", "8bit", "\u00ff\u00fe" + LINK)),
        Map.entry("mark in front of a text", mail("text/plain", "8bit", "\u00fe\u00ff " + BAD)),
        Map.entry("wide blank", mail("text/html; charset=utf-16", "base64", encoded(first))),
        Map.entry("UCS-2", mail("text/html; charset=ucs-2", "base64", encoded(wide))),
        Map.entry("csunicode", mail("text/html; charset=csunicode", "base64", encoded(wide))),
        Map.entry(
            "plus signs", mail("text/html; charset=utf-7", "7bit", LINK.replace("<a ", "<a/+/"))),
        Map.entry(
            "Japanese up to the line end",
            mail("text/html; charset=iso-2022-jp", "8bit", "\u001b$B$3$s\n" + LINK)),
        Map.entry(
            "escape in a host, by the page",
            mail(
                "text/html",
                "8bit",
                "<meta charset=\"iso-2022-jp\">" + LINK.replace("bad", "b\u001b(Bad"))),
        Map.entry("Chinese dot, by the page", mail("text/html", "8bit", gbk)),
        Map.entry(
            "wide letters, by the page",
            mail("text/html", "8bit", "<meta content=\"x; charset=gb2312\">" + full)),
        Map.entry(
            "half a character in front of a quote",
            mail(
                "text/html; charset=euc-jp", "8bit", "<p title=\"\u008f\">" + LINK + "<b y=\"\">")),
        Map.entry(
            "form that says EBCDIC",
            mail(
                "text/html; charset=ibm037",
                "8bit",
                "<form action=\"&#104;ttp://bad.example.com/\">")));
  }

  /** Files that one mail client reads by their type and another by their name. */
  private static Map<String, String> files() {
    String folded = "<a\n href=\"" + BAD + "\">";
    String entities = LINK.replace("http:", "&#104;ttp&#58;");
    String entity = "<!DOCTYPE svg [<!ENTITY u \"" + BAD + "\">]><svg><a xlink:href=\"&u;\">";
    return Map.ofEntries(
        Map.entry("page named .ics", mail("text/html; name=a.ics", "8bit", folded)),
        Map.entry("text named .html", mail("text/plain; name=a.html", "8bit", "<!-- " + BAD)),
        Map.entry(
            "inline text named .svg",
            "Content-Disposition: inline; filename=a.svg\n"
                + mail("text/plain", "8bit", "<title>" + BAD)),
        Map.entry("title of XHTML", mail("application/xhtml+xml", "8bit", "<title/>" + LINK)),
        Map.entry("entity of SVG", mail("image/svg+xml", "8bit", entity)),
        Map.entry("prefix of SVG", mail("image/svg+xml", "8bit", LINK.replace("href", "l:href"))),
        Map.entry("XML", mail("application/xml", "8bit", entities)),
        Map.entry("XML as text", mail("text/xml", "8bit", entities)),
        Map.entry("file .xml", mail("application/x; name=a.xml", "8bit", entities)),
        Map.entry("file .iqy", mail("application/x; name=a.iqy", "8bit", "WEB\n1\n" + BAD)),
        Map.entry("file .library-ms", mail("application/x; name=a.library-ms", "8bit", BAD)),
        Map.entry("page in a calendar", mail("text/calendar", "8bit", "X-ALT-DESC:" + entities)),
        Map.entry("line end in a calendar", mail("text/calendar", "8bit", "a\\n" + BAD + "\\nb")));
  }

  /** Headers with lines that are no fields, and fields beyond 16 KiB. */
  private static Map<String, String> headers() {
    String junk = "From: a@b.example\njunk line\n";
    String lines = "\n yyyyyyyyy".repeat(1_800);
    String entities = LINK.replace("http:", "&#104;ttp&#58;");
    String mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
    String coded = "Content-Transfer-Encoding: base64\n\n";
    return Map.of(
        "type behind junk",
        junk + "Content-Type: image/png\n\n" + BAD,
        "encoding behind junk",
        "Content-Type: text/html\n<html>\n" + coded + LINK,
        "comment behind junk",
        junk + "Content-Type: text/html\n\n<!-- " + BAD,
        "multipart behind junk",
        junk + mixed + "Content-Type: image/png\n\n" + BAD,
        "encoding behind junk in a part",
        mixed + "Content-Type: text/html\njunk line\n" + coded + LINK + "\n--b--\n",
        "type behind a long comment",
        "Content-Type: (" + lines + ")\n text/html\n\n" + entities,
        "encoding behind a long comment",
        "Content-Type: text/html\n" + coded.replace(": ", ": (" + lines + ")\n ") + base64(LINK),
        "List-Unsubscribe",
        "List-Unsubscribe: <mailto:a@b.example>,\n <" + BAD + ">\n\nx");
  }

  private static Map<String, String> mails() {
    Map<String, String> all = new LinkedHashMap<>(others());
    pages().forEach((name, page) -> all.put(name, html(page)));
    all.putAll(charsets());
    all.putAll(files());
    all.putAll(headers());
    for (String text :
        List.of(
            "\u2192http://bad.example.com\u2192x",
            "http://bad.example.com\u2014now",
            "www.a.example http://bad.example.com\ud83d\udc48")) {
      String body = new String(text.getBytes(UTF_8), ISO_8859_1);
      all.put(text, mail("text/plain; charset=utf-8", "8bit", body));
    }
    return all;
  }

  private static Map<String, String> others() {
    byte[] wide = LINK.getBytes(UTF_16LE);
    byte[] marked = ("\ufeff" + LINK).getBytes(UTF_16LE);
    String arrow = "<a href=\"" + " ".repeat(9_000) + BAD + "\">go</a>";
    return Map.ofEntries(
        Map.entry(
            "value that an arrow cuts", html("<!--[if mso]><x a=\"-->" + LINK + "<b c=\"\">")),
        Map.entry("style that an arrow cuts", html("<!--[if mso]><style>-->" + LINK)),
        Map.entry("tag that an arrow cuts", html("<!--[if mso]><x -->" + LINK)),
        Map.entry("style in SVG", html("<svg><style><p>" + LINK)),
        Map.entry("title in SVG", html("<svg><title><p>" + LINK)),
        Map.entry("style in MathML", html("<math><style><p>" + LINK)),
        Map.entry("CDATA in SVG", html("<svg><![CDATA[><x a=\"]]><p>" + LINK)),
        Map.entry(
            "script in a comment of a script",
            html("<script><!--<script></script><x a=\"--></script>" + LINK)),
        Map.entry("letter with a name", html(LINK.replace("bad", "&bscr;ad"))),
        Map.entry("ordinal with a name", html(LINK.replace("bad", "b&ordf;d"))),
        Map.entry("many blanks", html(arrow)),
        Map.entry("ASCII that says EBCDIC", mail("text/html; charset=ibm037", "8bit", LINK)),
        Map.entry("ASCII that says UTF-32", mail("text/html; charset=utf-32", "8bit", LINK)),
        Map.entry(
            "UTF-16 without a mark", mail("text/html; charset=utf-16", "base64", encoded(wide))),
        Map.entry(
            "mark of UTF-16", mail("text/html; charset=iso-8859-1", "base64", encoded(marked))),
        Map.entry("file .html", named("application/octet-stream", "a.html")),
        Map.entry("file .HTM", named("application/octet-stream", "a.HTM")),
        Map.entry("file .xhtml", named("application/xml", "a.xhtml")),
        Map.entry("file .svg", named("application/octet-stream", "a.svg")),
        Map.entry("SVG", mail("image/svg+xml", "8bit", "<svg>" + LINK + "</svg>")));
  }

  @TestFactory
  Stream<DynamicTest> everyLinkIsFound() {
    return mails().entrySet().stream()
        .map(one ->
            DynamicTest.dynamicTest(
                one.getKey(),
                () ->
                    assertTrue(
                        Mails.hosts(one.getValue()).contains("OPEN bad.example.com"),
                        () -> Mails.hosts(one.getValue()) + " in\n" + one.getValue())));
  }

  /** The same whatever the cuts. */
  @TestFactory
  Stream<DynamicTest> everyLinkIsFoundOctetByOctet() {
    return mails().entrySet().stream()
        .filter(one -> !one.getKey().startsWith("ASCII"))
        .map(one ->
            DynamicTest.dynamicTest(
                one.getKey(),
                () -> {
                  byte[] mail = one.getValue().replace("\n", "\r\n").getBytes(ISO_8859_1);
                  MailScanner scanner =
                      new MailScanner(MimeLimits.DEFAULTS, Set.of(Check.URL_HOST), 7);
                  for (int i = 0; i < mail.length; i++) {
                    scanner.put(mail, i, 1);
                  }
                  assertTrue(
                      scanner.end().keys().stream()
                          .anyMatch(key -> key.key().toString().equals("bad.example.com")));
                }));
  }

  /** The end of a path and a name with www that other text touches. */
  @Test
  void textThatTouchesAUrlIsNoPartOfIt() {
    String text = "http://a.example/page\u2192 x \u2192www.example.com\u2014now";
    String body = new String(text.getBytes(UTF_8), ISO_8859_1);
    List<String> keys = Mails.keys(mail("text/plain; charset=utf-8", "8bit", body));
    assertTrue(keys.contains("url OPEN a.example/page"), keys::toString);
    assertTrue(keys.contains("url OPEN a.example/page%E2%86%92"), keys::toString);
    assertTrue(keys.contains("url_host SCHEMELESS www.example.com"), keys::toString);
  }

  /** A file is hashed by what it is, whatever it says and whether it has a name. */
  @Test
  void everyFileIsHashed() {
    for (String head :
        List.of(
            "Content-Type: text/html\nContent-Disposition: attachment\n",
            "Content-Type: text/x\nContent-Disposition: ATTACHMENT; size=9\n",
            "Content-Type: message/rfc822; name=invoice.exe\n")) {
      String mail = head + "Content-Transfer-Encoding: base64\n\n" + base64("x".repeat(99));
      assertTrue(Mails.keys(mail).toString().contains("attachment OPEN"), mail);
    }
    String file =
        "Content-Type: a/b\nContent-Transfer-Encoding: base64\n\n" + base64("x".repeat(99));
    String mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n" + file;
    List<String> plain = hashes(mixed + "\n--b--\n");
    assertEquals(1, plain.size());
    for (String end : List.of("\n--b--x\ny\n", "\n--bx\n\ny\n")) {
      assertTrue(hashes(mixed + end).containsAll(plain), end);
    }
  }

  private static List<String> hashes(String mail) {
    return Mails.keys(mail).stream().filter(key -> key.startsWith("attachment")).toList();
  }

  /** Marks that are opened and never closed hide no address. */
  @Test
  void everyAddressIsFound() {
    for (String from :
        List.of(
            "Shop (Sale <x@bad.example>",
            "Shop :( <x@bad.example>",
            "\"Shop <x@bad.example>",
            "Shop 15\" TV <x@bad.example>",
            "Shop 15\" TV <x@bad.example> 20\"",
            "[Shop <x@bad.example>",
            "Shop \\\" <x@bad.example>",
            "Shop (a\\) <x@bad.example>",
            "=?utf-8?q?x?= (a <x@bad.example>",
            "<x@bad.example, y@good.example>",
            "a <x@=?utf-8?q?bad=2Eexample?=>",
            "\"\u001b[2J\" <x\u001b[2J@bad.example>",
            "( x@bad.example",
            "\"Shop\"\n" + (" ".repeat(900) + "\n").repeat(20) + " <x@bad.example>",
            "Shop (" + ("\n " + "y".repeat(900)).repeat(20) + ") <x@bad.example>")) {
      List<String> keys = Mails.keys("From: " + from + "\n\n");
      assertTrue(keys.contains("from_domain OPEN bad.example"), () -> keys + " of " + from);
    }
  }

  /** A thousand long URLs of each of thousands of sessions would be gigabytes. */
  @Test
  void octetsOfUrlsAreBounded() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 500; i++) {
      text.append("http://a.example/").append(i).append("a".repeat(1_500)).append('\n');
    }
    MailEvidence evidence =
        Mails.evidence(
            Mails.octets(mail("text/plain", "8bit", text.toString())), Set.of(Check.URL));
    int octets = evidence.keys().stream().mapToInt(key -> key.key().toString().length()).sum();
    assertTrue(octets > 400 * 1024 && octets <= 512 * 1024, "octets " + octets);
    assertEquals(1, evidence.notLookedAt().size());
  }
}
