package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Canonical URLs: Safe Browsing's published vectors, and what browsers read beyond them. */
class WebUrlTest {

  static WebUrl url(String text) {
    return switch (WebUrl.parse(text)) {
      case Parsed.Ok<WebUrl>(WebUrl url, var ignored) -> url;
      case Parsed.Bad<WebUrl>(String reason) -> throw new AssertionError(text + ": " + reason);
    };
  }

  /** One vector: URL and its published canonical form. */
  private record Vector(String url, String canonical) {}

  /**
   * All vectors of developers.google.com/safe-browsing/v4/urls-hashing, section Canonicalization,
   * in its order. Three lines there are escapes of C and are written as such here.
   */
  private static final List<Vector> PUBLISHED =
      List.of(
          new Vector("http://host/%25%32%35", "http://host/%25"),
          new Vector("http://host/%25%32%35%25%32%35", "http://host/%25%25"),
          new Vector("http://host/%2525252525252525", "http://host/%25"),
          new Vector("http://host/asdf%25%32%35asd", "http://host/asdf%25asd"),
          new Vector("http://host/%%%25%32%35asd%%", "http://host/%25%25%25asd%25%25"),
          new Vector("http://www.google.com/", "http://www.google.com/"),
          new Vector(
              "http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/"
                  + "%77%77%77%2E%65%62%61%79%2E%63%6F%6D/",
              "http://168.188.99.26/.secure/www.ebay.com/"),
          new Vector(
              "http://195.127.0.11/uploads/%20%20%20%20/.verify/"
                  + ".eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/",
              "http://195.127.0.11/uploads/%20%20%20%20/.verify/"
                  + ".eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/"),
          new Vector(
              "http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A"
                  + "22%252833%252944_55%252B",
              "http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+"),
          new Vector("http://3279880203/blah", "http://195.127.0.11/blah"),
          new Vector("http://www.google.com/blah/..", "http://www.google.com/"),
          new Vector("www.google.com/", "http://www.google.com/"),
          new Vector("www.google.com", "http://www.google.com/"),
          new Vector("http://www.evil.com/blah#frag", "http://www.evil.com/blah"),
          new Vector("http://www.GOOgle.com/", "http://www.google.com/"),
          new Vector("http://www.google.com.../", "http://www.google.com/"),
          new Vector("http://www.google.com/foo\tbar\rbaz\n2", "http://www.google.com/foobarbaz2"),
          new Vector("http://www.google.com/q?", "http://www.google.com/q?"),
          new Vector("http://www.google.com/q?r?", "http://www.google.com/q?r?"),
          new Vector("http://www.google.com/q?r?s", "http://www.google.com/q?r?s"),
          new Vector("http://evil.com/foo#bar#baz", "http://evil.com/foo"),
          new Vector("http://evil.com/foo;", "http://evil.com/foo;"),
          new Vector("http://evil.com/foo?bar;", "http://evil.com/foo?bar;"),
          new Vector("http://\u0001\u0080.com/", "http://%01%80.com/"),
          new Vector("http://notrailingslash.com", "http://notrailingslash.com/"),
          new Vector("http://www.gotaport.com:1234/", "http://www.gotaport.com/"),
          new Vector("  http://www.google.com/  ", "http://www.google.com/"),
          new Vector("http:// leadingspace.com/", "http://%20leadingspace.com/"),
          new Vector("http://%20leadingspace.com/", "http://%20leadingspace.com/"),
          new Vector("%20leadingspace.com/", "http://%20leadingspace.com/"),
          new Vector("https://www.securesite.com/", "https://www.securesite.com/"),
          new Vector("http://host.com/ab%23cd", "http://host.com/ab%23cd"),
          new Vector(
              "http://host.com//twoslashes?more//slashes",
              "http://host.com/twoslashes?more//slashes"));

  private static String withoutScheme(String canonical) {
    return canonical.substring(canonical.indexOf("://") + 3);
  }

  /**
   * Hosts of the vectors that no browser opens, because DNS has no such name or because a list must
   * not hold a single label: these URLs are refused, and their paths are compared on another host.
   */
  private static String onAnotherHost(String url) {
    return url.replace("://host/", "://host.example/").replace("host%23.com", "host.example");
  }

  @Test
  void publishedVectorsHoldWhereTheHostIsAName() {
    int refused = 0;
    int compared = 0;
    for (Vector vector : PUBLISHED) {
      if (vector.canonical().contains("://host/") || vector.canonical().contains("://host%23")) {
        assertInstanceOf(Parsed.Bad.class, WebUrl.parse(vector.url()), vector.url());
        refused++;
        assertEquals(
            withoutScheme(onAnotherHost(vector.canonical())),
            url(onAnotherHost(vector.url())).toString());
      } else if (vector.canonical().startsWith("http://%")) {
        assertInstanceOf(Parsed.Bad.class, WebUrl.parse(vector.url()), vector.url());
        refused++;
        continue;
      } else {
        assertEquals(withoutScheme(vector.canonical()), url(vector.url()).toString());
      }
      compared++;
    }
    assertEquals(33, PUBLISHED.size());
    assertEquals(10, refused, "hosts that are no names");
    assertEquals(29, compared);
  }

  /** The three examples of the section Suffix/Prefix Expressions there, in their order. */
  @Test
  void publishedExpressionsHold() {
    assertEquals(
        List.of(
            "a.b.c/1/2.html?param=1",
            "a.b.c/1/2.html",
            "a.b.c/",
            "a.b.c/1/",
            "b.c/1/2.html?param=1",
            "b.c/1/2.html",
            "b.c/",
            "b.c/1/"),
        expressions("http://a.b.c/1/2.html?param=1"));
    assertEquals(
        List.of(
            "a.b.c.d.e.f.g/1.html",
            "a.b.c.d.e.f.g/",
            "c.d.e.f.g/1.html",
            "c.d.e.f.g/",
            "d.e.f.g/1.html",
            "d.e.f.g/",
            "e.f.g/1.html",
            "e.f.g/",
            "f.g/1.html",
            "f.g/"),
        expressions("http://a.b.c.d.e.f.g/1.html"));
    assertEquals(List.of("1.2.3.4/1/", "1.2.3.4/"), expressions("http://1.2.3.4/1/"));
  }

  private static List<String> expressions(String url) {
    return url(url).expressions().stream().map(WebUrl::toString).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "docs.google.com/forms/u/1/d/e/1FA/viewform/?usp=a&entry.1=b, "
        + "docs.google.com/forms/d/e/1FA/viewform?entry.1=b",
    "WWW.dropbox.com/s/x/a.pdf?DL=1&&utm_medium=m, www.dropbox.com/s/x/a.pdf",
    "drive.google.com/?usp=x, drive.google.com/",
    "bit.ly/abc/?e=5, bit.ly/abc?e=5",
    "good.example/u/1/a/?usp=x, good.example/u/1/a/?usp=x",
  })
  void pagesOfSharedHostsHaveOneForm(String written, String canonical) {
    assertEquals(canonical, url("https://" + written).toString());
    assertEquals(canonical, url("//" + canonical).toString());
  }

  @Test
  void anEntryOfASharedHostMeansWhatIsBelowIt() {
    assertEquals(
        List.of(
            "bit.ly/1/2/3/4/5/6?q",
            "bit.ly/1/2/3/4/5/6",
            "bit.ly/",
            "bit.ly/1",
            "bit.ly/1/2",
            "bit.ly/1/2/3",
            "bit.ly/1/2/3/4",
            "bit.ly/1/2/3/4/5"),
        expressions("https://bit.ly/1/2/3/4/5/6/?q"));
    assertEquals(
        List.of(
            "docs.google.com/uc?id=5&x=1&y",
            "docs.google.com/uc",
            "docs.google.com/",
            "docs.google.com/uc?id=5",
            "docs.google.com/uc?id=5&x=1"),
        expressions("https://docs.google.com/uc?id=5&usp=a&x=1&y").stream()
            .filter(text -> text.startsWith("docs."))
            .toList());
    assertEquals("bit.ly/a/b/", WebUrl.base("https://bit.ly/a/b/").orElseThrow().toString());
  }

  @Test
  void thirtyExpressionsAtMost() {
    List<String> all = expressions("http://a.b.c.d.e.f.g.example/1/2/3/4/5/6.html?a=/b/");
    assertEquals(30, all.size());
    assertEquals(30, new HashSet<>(all).size());
    assertTrue(all.contains("f.g.example/1/2/3/"));
    assertFalse(all.contains("f.g.example/1/2/3/4/"));
    assertFalse(all.contains("example/"));
    assertEquals(List.of("a.example/"), expressions("a.example"));
    assertEquals(List.of("a.example/?q", "a.example/"), expressions("a.example?q"));
    assertEquals(List.of("[2001:db8::1]/"), expressions("http://[2001:DB8:0::1]"));
  }

  @ParameterizedTest
  @CsvSource({
    "HTTPS://User:pass@Example.COM:8443/A?b#c, example.com/A?b",
    "http://good.example@evil.example/, evil.example/",
    "http://good.example@a@evil.example/, evil.example/",
    "http://good.example:80\\@evil.example/, good.example/@evil.example/",
    "http:\\\\evil.example\\a\\..\\b, evil.example/b",
    "http:evil.example/a, evil.example/a",
    "http:/evil.example/a, evil.example/a",
    "http:///evil.example/a, evil.example/a",
    "//evil.example/a, evil.example/a",
    "evil.example:8080/a, evil.example/a",
    "evil.example:, evil.example/",
    "http://evil.example:/a, evil.example/a",
    "http://evil.example?a=/../b, evil.example/?a=/../b",
    "http://a..evil...example/, a.evil.example/",
    "http://.evil.example./, evil.example/",
    "http://ｅｖｉｌ。example/, evil.example/",
    "http://evil｡example/, evil.example/",
    "http://evil．example/, evil.example/",
    "http://ev\u00adil.example/, evil.example/",
    "http://ev\u200bil.example/, evil.example/",
    "http://%65vil%2eexample/, evil.example/",
    "http://%25%36%35vil.example/, evil.example/",
    "http://%EF%BD%85vil.example/, evil.example/",
    "http://ev%C2%ADil.example/, evil.example/",
    "http://bücher.example/ü, xn--bcher-kva.example/%C3%BC",
    "http://b%C3%BCcher.example/%c3%bc, xn--bcher-kva.example/%C3%BC",
    "http://0x7f.1/, 127.0.0.1/",
    "http://0177.0.0.01/, 127.0.0.1/",
    "http://0x7f000001/, 127.0.0.1/",
    "http://2130706433/, 127.0.0.1/",
    "http://127.1/, 127.0.0.1/",
    "http://192.168.257/, 192.168.1.1/",
    "http://1.2.3.4./, 1.2.3.4/",
    "http://１２７．０．０．１/, 127.0.0.1/",
    "http://①②⑦.⓪.⓪.①/, 127.0.0.1/",
    "http://0x/, 0.0.0.0/",
    "http://[::FFFF:1.2.3.4]:80/a, 1.2.3.4/a",
    "http://[2001:db8:0:0::1]:80/a, [2001:db8::1]/a",
    "http://1.2.3.example/, 1.2.3.example/",
    "http://a_b.example/, a_b.example/",
    "ftp://evil.example/a, evil.example/a",
    "http://evil.example/a%3F%23, evil.example/a?%23",
    "http://evil.example/a b|c, evil.example/a%20b|c",
    "http://evil.example/\ud83d\ude00, evil.example/%F0%9F%98%80",
    "http://evil.example/\ud83d, evil.example/%EF%BF%BD",
  })
  void readsOneUrl(String written, String canonical) {
    WebUrl url = url(written);
    assertEquals(canonical, url.toString());
    assertEquals(url, url(canonical));
    assertEquals(url.hashCode(), url(canonical).hashCode());
    assertEquals(url, WebUrl.asked(written).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "//",
        "http:",
        "http://",
        "http://user@/",
        "http://undefined/",
        "localhost:80",
        "mailto:a@b.example",
        "javascript:alert(1)//a.example/",
        "data:text/html,http://a.example/",
        "cid:part1@a.example",
        "file:///etc/passwd",
        "http://a.example:80x/",
        "http://a.example%2fb.example/",
        "http://a.example%00/",
        "http://a b.example/",
        "http://1.2.3.256/",
        "http://09.1.1.1/",
        "http://4294967296/",
        "http://a.0x1g.999/",
        "http://[::1/",
        "http://[fe80::1%25eth0]/",
        "http://xn--a.example/",
        "http://a\u200d.example/",
        "http://%ff.example/",
      })
  void refuses(String text) {
    assertInstanceOf(Parsed.Bad.class, WebUrl.parse(text), text);
  }

  @Test
  void hostsAreNamesOrAddresses() {
    assertEquals(DomainNameTest.name("a.example"), url("http://a.example/b").host());
    assertEquals(IpAddress.parse("1.2.3.4").toOptional().orElseThrow(), url("1.2.3.4").host());
    WebUrl page = url("https://a.b.example/c/d?e");
    assertTrue(url("a.b.example").isHostOnly());
    assertFalse(page.isHostOnly());
    assertEquals(DomainNameTest.name("b.example"), page.expressions().getLast().host());
    assertTrue(url("a.b.example").compareTo(page) < 0);
  }

  @Test
  void askedKeepsWhatCanBeReadOfABrokenHost() {
    assertEquals("?.evil.example/a", asked("http://x!y.evil.example/a"));
    assertEquals("a.evil.example/", asked("http://a\u200d.evil.example/"));
    assertEquals("?.evil.example/", asked("http://a%2fb.evil.example/"));
    assertEquals("evil.example/", asked("http://evil.example:80x/"));
    assertTrue(WebUrl.asked("http://undefined/").isEmpty());
    assertTrue(WebUrl.asked("javascript:a.example").isEmpty());
  }

  private static String asked(String text) {
    return WebUrl.asked(text).orElseThrow().toString();
  }

  @Test
  void longUrlsAreRefusedInFeedsAndCutInMails() {
    String long1 = "http://evil.example/a/" + "x".repeat(WebUrl.MAX_OCTETS);
    assertInstanceOf(Parsed.Bad.class, WebUrl.parse(long1));
    WebUrl cut = WebUrl.asked(long1).orElseThrow();
    assertEquals(WebUrl.MAX_OCTETS, cut.octets().length);
    assertTrue(cut.expressions().contains(url("evil.example/a/")));
    String escapes = "evil.example/" + "ü".repeat(WebUrl.MAX_OCTETS);
    assertEquals("evil.example/", asked(escapes).replace("%C3", "").replace("%BC", ""), "whole");
    String long2 = "http://evil.example/" + "%25".repeat(WebUrl.MAX_CHARACTERS);
    assertInstanceOf(Parsed.Bad.class, WebUrl.parse(long2));
    assertTrue(asked(long2).startsWith("evil.example/%"));
    String most = "http://e.example/" + "x".repeat(WebUrl.MAX_OCTETS - "e.example/".length());
    assertEquals(WebUrl.MAX_OCTETS, url(most).octets().length);
    String dots = "http://evil.example/" + "./".repeat(5_000) + "a";
    assertEquals("evil.example/a", url(dots).toString());
  }

  @Test
  void anyNumberOfUnseenCharactersHidesNoHost() {
    String unseen = "\u00ad\u200b".repeat(2_000);
    WebUrl url = WebUrl.asked("http://ev" + unseen + "il.example/a").orElseThrow();
    assertEquals("evil.example/a", url.toString());
  }

  @Test
  void capitalSharpSCountsAsOneLetter() {
    WebUrl small = WebUrl.asked("http://" + "\u00df".repeat(44) + ".example/").orElseThrow();
    assertEquals(asked("http://" + "\u1e9e".repeat(44) + ".example/"), small.toString());
    assertTrue(small.toString().startsWith("xn--zca"), small::toString);
  }
}
