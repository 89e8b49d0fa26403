package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No text makes the scanner look at its characters more than a few times: the characters that it
 * looks at are counted for a text and for one twice as long.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class UrlScannerWorkTest {

  /** Characters of the shorter text: many blocks of those that a mail is read in. */
  private static final int LENGTH = 1 << 17;

  /** Looks at one character on average, at most; carried words are read once more. */
  private static final int MOST = 12;

  private static long work(String part, int length) {
    char[] text = part.repeat(length / part.length() + 1).substring(0, length).toCharArray();
    UrlScanner scanner = new UrlScanner(true, new UrlsLeft(), url -> {});
    for (int from = 0; from < length; from += 8_192) {
      scanner.put(text, from, Math.min(length, from + 8_192));
    }
    scanner.end();
    return scanner.work();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%25",
        "http://",
        "http://a.example/",
        "http://a.example,",
        "http://a[.]b.example/",
        "http://a@",
        "http://!/",
        "http://a!b.c/",
        "http://a%/",
        "http://1.2.3.999/",
        ",http://a.example",
        "(http://a.example/",
        ".",
        "..a",
        "a.",
        "a.b",
        "a.com",
        "a.com?",
        "co.uk?",
        "co.uk#",
        "co.uk:1",
        "www.",
        "www.a.",
        "www.co.uk?",
        "(",
        "[",
        ")",
        "([{",
        "[.]",
        "a[.]com",
        "[.",
        "[dot]",
        ":",
        ":/",
        "://",
        "h",
        "http",
        "hxxp:",
        "\\.",
        "a\\.b",
        "@",
        "请",
        "请a.com",
        "。",
        "a。com。",
        "a dot ",
        "dot ",
        "h ",
        "h t t p : / / ",
        "http:// ",
        "a.com ",
        "co.uk ",
        "x\n",
        "a.com/http://",
        "<http://",
        "<http:// ",
        "<http://a. bc>",
        "http://a!",
        "\u00ad",
      })
  void timeIsLinear(String part) {
    long once = work(part, LENGTH);
    long twice = work(part, 2 * LENGTH);
    assertTrue(twice <= 2.1 * once, part + ": " + once + " then " + twice);
    assertTrue(twice <= (long) MOST * 2 * LENGTH, part + ": " + twice);
  }

  /** One URL, however long it is: the limits hold, and what is read of it stays right. */
  @ParameterizedTest
  @ValueSource(strings = {"%25", "%2525", "../", "./", "//", "\\", "%5c..", "?", "é", "%ff", "%"})
  void oneLongUrlIsCut(String part) {
    String text = "http://evil.example/a/" + part.repeat((1 << 20) / part.length());
    WebUrl url = WebUrl.asked(text).orElseThrow();
    assertTrue(url.octets().length <= WebUrl.MAX_OCTETS);
    assertTrue(url.toString().startsWith("evil.example/"));
  }

  /** A short link is as long as its base when it is read; a whole one is read behind any number. */
  @Test
  void linksRelativeToALongBaseAreBounded() {
    WebUrl base = WebUrl.asked("http://a.example/" + "p".repeat(3_900) + "/").orElseThrow();
    UrlsLeft left = new UrlsLeft();
    List<WebUrl> found = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      UrlScannerTest.attribute("b" + i, base, left, url -> found.add(url.url()));
    }
    long octets = found.stream().mapToLong(url -> url.octets().length).sum();
    assertTrue(octets <= UrlsLeft.MOST_READ, () -> octets + " octets");
    assertTrue(left.isLimited());
    UrlScannerTest.attribute("http://bad.example/", base, left, url -> found.add(url.url()));
    assertEquals("bad.example/", found.getLast().toString());
  }

  /** International hosts take the time of many others, and hide none of these. */
  @Test
  void internationalHostsAreBounded() {
    UrlsLeft left = new UrlsLeft();
    List<WebUrl> found = new ArrayList<>();
    UrlScanner scanner = new UrlScanner(true, left, url -> found.add(url.url()));
    for (int i = 0; i < UrlsLeft.MOST_MAPPED; i++) {
      String host =
          switch (i % 3) {
            case 0 -> "\u00e4" + i;
            case 1 -> "%c3%a4" + i;
            default -> "xn--4ca" + i;
          };
      UrlScannerTest.attribute("//" + host + ".example/", null, left, url -> found.add(url.url()));
      char[] text = ("http://" + host + ".example/a ").toCharArray();
      scanner.put(text, 0, text.length);
    }
    assertEquals(UrlsLeft.MOST_MAPPED, found.size());
    assertTrue(left.isLimited());
    char[] text = "http://bad.example/%c3%a4 ".toCharArray();
    UrlScannerTest.attribute(new String(text), null, left, url -> found.add(url.url()));
    assertEquals("bad.example/%C3%A4", found.removeLast().toString());
    scanner.put(text, 0, text.length);
    scanner.end();
    assertEquals("bad.example/%C3%A4", found.getLast().toString());
  }

  /** What is escaped or a user's name, but no international host, takes nothing of their bound. */
  @Test
  void hostsOfAsciiAreReadBehindAnyNumber() {
    UrlsLeft left = new UrlsLeft();
    List<String> found = new ArrayList<>();
    UrlScanner scanner = new UrlScanner(true, left, url -> found.add(url.url().toString()));
    for (int i = 0; i <= UrlsLeft.MOST_MAPPED; i++) {
      for (String link :
          List.of("//%61/", "//%2561" + i + ".example/", "//\u00e4@a" + i + ".example")) {
        put(scanner, "http:" + link + " ");
        UrlScannerTest.attribute(link, null, left, url -> {});
      }
    }
    assertFalse(left.isLimited());
    for (int i = 0; i <= UrlsLeft.MOST_MAPPED; i++) {
      put(scanner, "http://\u00e4" + i + ".example/ ");
    }
    assertTrue(left.isLimited());
    for (String link :
        List.of("//b%61d.example/a", "//a%41@bad.example/b", "//\u00e4@bad.example/c")) {
      put(scanner, "http:" + link + " ");
      assertEquals("bad.example/" + link.charAt(link.length() - 1), found.getLast());
      found.clear();
      UrlScannerTest.attribute(link, null, left, url -> found.add(url.url().toString()));
      assertEquals("bad.example/" + link.charAt(link.length() - 1), found.getLast());
    }
    found.clear();
    for (String host : List.of("%c3%a4.example", "\u00e4.example", "%78N--4ca.example", "\u00e4")) {
      put(scanner, "http://a@" + host + ")@b/ ");
      UrlScannerTest.attribute("//a@" + host, null, left, url -> found.add(url.url().toString()));
    }
    assertEquals(List.of(), found);
  }

  /** The same of names without a scheme, which hide no link. */
  @Test
  void internationalBareNamesAreBounded() {
    UrlsLeft left = new UrlsLeft();
    List<String> found = new ArrayList<>();
    UrlScanner scanner = new UrlScanner(true, left, url -> found.add(url.url().toString()));
    for (int i = 0; i < UrlsLeft.MOST_MAPPED_BARE; i++) {
      put(scanner, i % 2 == 0 ? "\u00e4" + i + ".com " : "a" + i + ".\ufdfa ");
    }
    assertFalse(left.isLimited());
    assertEquals(UrlsLeft.MOST_MAPPED_BARE / 2, found.size());
    put(scanner, "\u00e4.com ");
    assertTrue(left.isLimited());
    put(scanner, "http://bad.example/a b\u00e4d.com bad.com http://b\u00e4d.com/ ");
    assertEquals(
        List.of("bad.example/a", "bad.com/", "xn--bd-via.com/"),
        found.subList(UrlsLeft.MOST_MAPPED_BARE / 2, found.size()));
  }

  private static void put(UrlScanner scanner, String text) {
    scanner.put(text.toCharArray(), 0, text.length());
  }

  /** Texts in the URLs of redirectors cost as much, whether they turn out to be targets or not. */
  @Test
  void internationalTargetsOfAMailAreBounded() {
    UrlsLeft left = new UrlsLeft();
    List<WebUrl> found = new ArrayList<>();
    String broken = "u=//\u00e4.xn--a.example&".repeat(100);
    for (int i = 0; i < UrlsLeft.MOST_MAPPED / 100; i++) {
      UrlScannerTest.attribute("//t.co/?" + broken, null, left, url -> found.add(url.url()));
    }
    assertFalse(left.isLimited());
    String good = "//t.co/?u=//\u00e4.bad.example/&u=//bad.example/";
    UrlScannerTest.attribute(good, null, left, url -> found.add(url.url()));
    assertTrue(left.isLimited());
    assertEquals("bad.example/", found.getLast().toString());
    assertFalse(found.toString().contains("xn--4ca.bad.example"), found::toString);
  }

  /** A file that is a mail and a page is read several times, so these readings are bounded more. */
  @Test
  void linksOfReadingsThatFewShareAreBounded() {
    UrlsLeft left = new UrlsLeft(UrlsLeft.MOST_READ_BESIDE);
    String link = "http://a.example/";
    int most = Math.ceilDiv(1 << 20, link.length() + UrlsLeft.EACH);
    List<WebUrl> found = new ArrayList<>();
    for (int i = 0; i <= most; i++) {
      UrlScannerTest.attribute(link, null, left, url -> found.add(url.url()));
    }
    assertEquals(most, found.size());
    assertTrue(left.isLimited());
    UrlsLeft other = new UrlsLeft(UrlsLeft.MOST_READ_BESIDE);
    found.clear();
    for (int i = 0; i < UrlsLeft.MOST_MAPPED; i++) {
      UrlScannerTest.attribute(
          "//\u00e4" + i + ".example/", null, other, url -> found.add(url.url()));
    }
    assertEquals(UrlsLeft.MOST_MAPPED / 4, found.size());
    assertTrue(other.isLimited());
  }

  /** A few kilobytes of those use up all that may be joined. */
  @Test
  void shortLinksOfALongBaseHideNoUrlWithBlanks() {
    List<FoundUrl> found = new ArrayList<>();
    UrlsLeft left = new UrlsLeft();
    WebUrl base = WebUrl.asked("http://a.example/" + "p".repeat(4_000) + "/").orElseThrow();
    for (int i = 0; i < 1_000; i++) {
      UrlScannerTest.attribute("x", base, left, found::add);
    }
    assertTrue(left.isLimited());
    UrlScanner scanner = new UrlScanner(true, left, found::add);
    found.clear();
    char[] text = "see <http://b.exam ple/> ".toCharArray();
    scanner.put(text, 0, text.length);
    assertEquals("b.example/", found.getFirst().url().toString());
  }
}
