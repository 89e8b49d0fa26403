package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs of plain and HTML text, whatever the cuts of the text are. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UrlScannerTest {

  private static final long SEED = 0x5ca9_0e55_1717L;

  /** What is found, one a line: the canonical URL, and its form where it is not whole. */
  static List<String> scan(boolean plainText, String text) {
    List<String> found = new ArrayList<>();
    UrlScanner scanner = new UrlScanner(plainText, new UrlsLeft(), url -> found.add(line(url)));
    scanner.put(text.toCharArray(), 0, text.length());
    scanner.end();
    return found;
  }

  /** Reads the value of an attribute. */
  static void attribute(
      String value, @Nullable WebUrl base, UrlsLeft left, Consumer<FoundUrl> sink) {
    new UrlScanner(false, left, sink).link(value.toCharArray(), value.length(), base);
  }

  static String line(FoundUrl found) {
    return found.url() + (found.form() == Form.WHOLE ? "" : " " + found.form());
  }

  private static List<String> scanCut(boolean plainText, String text, List<Integer> cuts) {
    List<String> found = new ArrayList<>();
    UrlScanner scanner = new UrlScanner(plainText, new UrlsLeft(), url -> found.add(line(url)));
    int from = 0;
    for (int cut : cuts) {
      // A buffer that is used again must not be read later.
      char[] piece = text.substring(from, cut).toCharArray();
      scanner.put(piece, 0, piece.length);
      Arrays.fill(piece, '\u0007');
      from = cut;
    }
    scanner.put(text.toCharArray(), from, text.length());
    scanner.end();
    return found;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "see http://evil.example/a. Then | evil.example/a",
        "(http://evil.example/a) | evil.example/a",
        "http://evil.example/a_(b) | evil.example/a_(b)",
        "(see http://evil.example/a_(b)) | evil.example/a_(b)",
        "[text](http://evil.example/a)more | evil.example/a",
        "[url=http://evil.example/a]b[/url] | evil.example/a",
        "<http://evil.example/a> | evil.example/a",
        "\"http://evil.example/a\" | evil.example/a",
        "'http://evil.example/a','x' | evil.example/a",
        "**http://evil.example/a** | evil.example/a",
        "http://evil.example/a* | evil.example/a*",
        "http://evil.example/a?b=c&d=e! | evil.example/a?b=c&d=e",
        "http://evil.example, | evil.example/",
        "http://evil.example:8080/a | evil.example/a",
        "http://evil.example: | evil.example/",
        "http://u:p@evil.example/a | evil.example/a",
        "HTTP://EVIL.EXAMPLE/A | evil.example/A",
        "xhttp://evil.example/a | evil.example/a",
        "http://1.2.3.4/a | 1.2.3.4/a",
        "http://[2001:db8::1]/a) | [2001:db8::1]/a",
        "http:\\\\evil.example\\a | evil.example/a",
        "http:/evil.example/a | evil.example/a",
        "http:////evil.example/a | evil.example/a",
        "http://evil.example&sp | evil.example/",
        "http://evil.example^x/a | evil.example/",
        "http://evil。example/a。b | evil.example/a",
        "http://evil．example/ | evil.example/",
        "www.evil.com/a | www.evil.com/a SCHEMELESS",
        "WWW.Evil.Com, | www.evil.com/ SCHEMELESS",
        "www.evil.com:80/a | www.evil.com/a SCHEMELESS",
        "请访问http://www.evil.com查看 | www.evil.com/",
        "请访问www.evil.com查看 | www.evil.com/ SCHEMELESS",
        "http://xn--bcher-kva.example/ | xn--bcher-kva.example/",
        "http://bücher.example/ü | xn--bcher-kva.example/%C3%BC",
        "http://ev\u200bil.example/ | evil.example/",
        "\u201chttp://evil.example/a\u201d | evil.example/a",
        "http://evil.example/a\u00a0b | evil.example/a",
        "http://http://evil.example/ | evil.example/",
      })
  void findsWholeUrls(String text, String url) {
    assertEquals(List.of(url), scan(false, text));
    assertEquals(List.of(url), scan(true, text));
  }

  @Test
  void findsSeveralUrls() {
    assertEquals(
        List.of("a.example/x", "b.example/y", "c.example/"),
        scan(true, "http://a.example/x,https://b.example/y;http://c.example"));
    assertEquals(
        List.of("a.example/?u=http://b.example/"),
        scan(true, "http://a.example/?u=http://b.example/"));
    assertEquals(
        List.of("a.example/x", "evil.com/ SCHEMELESS", "b.com/ SCHEMELESS"),
        scan(true, "evil.com,http://a.example/x)b.com"));
    assertEquals(List.of("evil.example/"), scan(true, "http://evil.example|foo"));
    assertEquals(List.of("evil.example/"), scan(true, "http://evil.example[1]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "visit evil.com today | evil.com/ SCHEMELESS",
        "visit evil.com. Today | evil.com/ SCHEMELESS",
        "evil.com/a?b | evil.com/a?b SCHEMELESS",
        "evil.com:8080/a | evil.com/a SCHEMELESS",
        "EVIL.COM | evil.com/ SCHEMELESS",
        "(evil.co.uk) | evil.co.uk/ SCHEMELESS",
        "url:evil.com | evil.com/ SCHEMELESS",
        "x=evil.com | evil.com/ SCHEMELESS",
        "пример.рф | xn--e1afmkfd.xn--p1ai/ SCHEMELESS",
        "请访问evil.com查看 | evil.com/ SCHEMELESS",
        "evil。com | evil.com/ SCHEMELESS",
      })
  void findsBareNamesInPlainTextOnly(String text, String url) {
    assertEquals(List.of(url), scan(true, text));
    assertEquals(List.of(), scan(false, text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sendmail.mc/.cf",
        "sendmail.mc",
        "/etc/mail/sendmail.cf",
        "README.md",
        "node.js",
        "undefined",
        "http://undefined/",
        "http://localhost/",
        "http://i011-934:4326/regal",
        "e.g. this, i.e. that, a.k.a. x",
        "end.Then it",
        "home.It is",
        "script.sh setup.py lib.so a.rs b.pl",
        "archive.tar.zip",
        "PAYMENT EUR 1,420.00.zip",
        "user@evil.com",
        "mailto:user@evil.com",
        "./evil.com ../evil.com /evil.com",
        "1.2.3.4 version 4.4.0",
        "http://",
        "http:// ",
        "://evil",
        "co.uk github.io",
        "configure.ac Makefile.am",
        "Java.util.List",
        "www.foozz www. www..",
        "12:30 a:b",
        "http://.../",
        "http://a b",
        "javascript:alert(1)",
        "data:text/html;base64,aHR0cDovL2V2aWwuY29tLw==",
        "...",
        ".com",
        "[ . ] ( : )",
      })
  void takesNothingElseForAUrl(String text) {
    assertEquals(List.of(), scan(true, text));
    assertEquals(List.of(), scan(false, text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "hxxp://evil.com/a | evil.com/a DEFANGED",
        "hXXps://evil.com/a | evil.com/a DEFANGED",
        "h**p://evil.com/a | evil.com/a DEFANGED",
        "hxxps[:]//evil[.]com/a | evil.com/a DEFANGED",
        "hxxps[://]evil[.]com/a | evil.com/a DEFANGED",
        "http://evil[.]com/a[.]b | evil.com/a.b DEFANGED",
        "http://evil(.)com/a | evil.com/a DEFANGED",
        "http://evil{.}com/a | evil.com/a DEFANGED",
        "evil[.]com | evil.com/ DEFANGED",
        "evil[dot]com | evil.com/ DEFANGED",
        "evil(dot)com/a, | evil.com/a DEFANGED",
        "evil\\.com | evil.com/ DEFANGED",
        "evil dot com | evil.com/ DEFANGED",
        "evil DOT com. | evil.com/ DEFANGED",
        "secure-login dot evil dot net | secure-login.evil.net/ DEFANGED",
        "evil [.] com | evil.com/ DEFANGED",
        "evil (dot) com | evil.com/ DEFANGED",
        "http:// evil.com/a | evil.com/a DEFANGED",
        "h t t p : / / evil.com/a | evil.com/a DEFANGED",
        "h t t p s : / / evil.com/a | evil.com/a DEFANGED",
        "hxxp : // evil.com/a | evil.com/a DEFANGED",
      })
  void findsDefangedUrls(String text, String url) {
    assertEquals(List.of(url), scan(true, text));
    assertEquals(List.of(url), scan(false, text));
  }

  @Test
  void nothingBesideAUrlMakesItLess() {
    assertTrue(scan(true, "http://evil.com/?a[.]b").contains("evil.com/?a[.]b"));
    assertTrue(scan(true, "x[.]y,http://evil.com/").contains("evil.com/"));
    assertTrue(scan(true, "http:// http://evil.com/").contains("evil.com/"));
    assertTrue(scan(true, "a dot b http://evil.com/").contains("evil.com/"));
    assertTrue(scan(true, "http:// www.evil.com").contains("www.evil.com/ DEFANGED"));
    assertTrue(scan(true, "http://evil.com/(dot)").contains("evil.com/(dot)"));
  }

  /** A text with one of everything. */
  private static final String MIXED =
      "Dear user,\r\n"
          + "see http://evil.example/a?b=c, www.evil.com/x or evil.com.\n"
          + "(hxxps[:]//evil[.]net/a) h t t p : / / spaced.com/x evil dot org. user@mail.example\n"
          + "https://www.google.com/url?q=https%3A%2F%2Ftarget.example%2Fa%3Fb%26c&sa=D end.Then\n"
          + "<a href=\"http://u:p@e\u200bvil.example:80/%2e%2e/x\">http://[::1]/</a>"
          + " 请www.evil.com查";

  @Test
  void everyCutGivesTheSame() {
    for (boolean plain : new boolean[] {true, false}) {
      List<String> whole = scan(plain, MIXED);
      assertTrue(whole.size() >= 9, whole.toString());
      for (int i = 0; i <= MIXED.length(); i++) {
        assertEquals(whole, scanCut(plain, MIXED, List.of(i)), "cut at " + i);
      }
      List<Integer> all = new ArrayList<>();
      for (int i = 1; i < MIXED.length(); i++) {
        all.add(i);
      }
      assertEquals(whole, scanCut(plain, MIXED, all), "single characters");
    }
  }

  @Test
  void randomTextsAreReadAlikeWhateverTheCuts() {
    Random random = new Random(SEED);
    String[] parts = {
      "http://",
      "https:",
      "//",
      "hxxp",
      "www.",
      "evil",
      ".com",
      ".",
      " ",
      " dot ",
      "[.]",
      "(",
      ")",
      "[",
      "]",
      "a",
      "/",
      "?u=",
      "\\",
      ",",
      "@",
      ":",
      "\n",
      "<",
      "%2e",
      "请",
      "。",
      "é",
      "h t t p",
      " : / / ",
      "google.com/url?q=",
      "'",
      "*",
      ";",
      "x".repeat(70),
      ".md"
    };
    int urls = 0;
    for (int round = 0; round < 20_000; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(14); i >= 0; i--) {
        text.append(parts[random.nextInt(parts.length)]);
      }
      boolean plain = random.nextBoolean();
      List<Integer> cuts =
          random.ints(random.nextInt(4), 0, text.length() + 1).sorted().boxed().toList();
      List<String> whole = scan(plain, text.toString());
      urls += whole.size();
      assertEquals(
          whole,
          scanCut(plain, text.toString(), cuts),
          "seed " + SEED + " round " + round + " cuts " + cuts + ": " + text);
    }
    assertTrue(urls > 2_000, urls + " URLs");
  }

  @Test
  void longWordsAreBounded() {
    String filler = "x".repeat(UrlScanner.MAX_WORD - 9);
    for (int shift = 0; shift < 30; shift++) {
      String text = "y".repeat(shift) + filler + "(http://evil.example/a) b";
      assertEquals(List.of("evil.example/a"), scan(true, text), "shift " + shift);
      assertEquals(List.of("evil.example/a"), scanCut(true, text, List.of(5, 16_000, 16_384)));
    }
    String twice = "x".repeat(3 * UrlScanner.MAX_WORD);
    assertEquals(List.of("evil.example/a"), scan(true, twice + "(http://evil.example/a)"));
    String cut = "http://evil.example/a/" + "x".repeat(100_000) + "http://other.example/ www.b.com";
    List<String> found = scan(true, cut);
    assertEquals(2, found.size(), "one that is cut, and the next word");
    assertTrue(found.getFirst().startsWith("evil.example/a/xxx"));
    assertEquals("www.b.com/ SCHEMELESS", found.getLast());
    assertEquals(
        found, scanCut(true, cut, List.of(1, 10, 20_000, 50_000)), "cut by the limit alone");
  }

  /** Only links and names count in the limit of what is read of a mail. */
  @ParameterizedTest
  @ValueSource(strings = {": ", "a:b: ", "... ", ".x ", "1.2.3 ", "http: ", "://", "x.y\n"})
  void noTextHidesALink(String part) {
    List<FoundUrl> found = new ArrayList<>();
    UrlsLeft left = new UrlsLeft();
    UrlScanner scanner = new UrlScanner(false, left, found::add);
    char[] text = part.repeat((6 << 20) / part.length()).toCharArray();
    scanner.put(text, 0, text.length);
    char[] behind = " http://b.example/ ".toCharArray();
    scanner.put(behind, 0, behind.length);
    scanner.end();
    assertEquals(1, found.size());
    assertFalse(left.isLimited());
  }

  @Test
  void picturesInAPageHideNoLink() {
    List<FoundUrl> found = new ArrayList<>();
    UrlsLeft left = new UrlsLeft();
    String picture = "data:image/png;base64," + "iVBORw0KGgo".repeat(1_000);
    for (int i = 0; i < 500; i++) {
      attribute(picture, null, left, found::add);
    }
    attribute("http://b.example/", null, left, found::add);
    assertEquals(1, found.size());
  }

  @Test
  void redirectorsWithoutATargetHideNoOther() {
    List<FoundUrl> found = new ArrayList<>();
    UrlsLeft left = new UrlsLeft();
    for (int i = 0; i < 1_000; i++) {
      attribute("https://t.co/" + "a".repeat(900), null, left, found::add);
    }
    attribute("https://t.co/?url=http://b.example/", null, left, found::add);
    assertEquals("b.example/", found.getLast().url().toString());
  }

  @Test
  void aTextOfNamesAloneIsReadUpToALimit() {
    List<FoundUrl> found = new ArrayList<>();
    UrlsLeft left = new UrlsLeft();
    UrlScanner scanner = new UrlScanner(true, left, found::add);
    char[] text = "a.com ".repeat(UrlsLeft.MOST_BARE - 1).toCharArray();
    scanner.put(text, 0, text.length);
    assertFalse(left.isLimited());
    scanner.put(text, 0, text.length);
    assertTrue(left.isLimited());
    assertEquals(UrlsLeft.MOST_BARE, found.size());
    char[] behind = "http://b.example/ ".toCharArray();
    scanner.put(behind, 0, behind.length);
    scanner.end();
    assertEquals(UrlsLeft.MOST_BARE + 1, found.size(), "a URL is found behind any number of names");
  }
}
