package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs of attributes as browsers read them, and of meta refresh. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AttributeTest {

  private static List<String> attribute(String value, @Nullable String base) {
    List<String> found = new ArrayList<>();
    UrlScannerTest.attribute(
        value,
        base == null ? null : base(base),
        new UrlsLeft(),
        url -> found.add(UrlScannerTest.line(url)));
    return found;
  }

  private static List<String> refresh(String content, @Nullable String base) {
    List<String> found = new ArrayList<>();
    new UrlScanner(false, new UrlsLeft(), url -> found.add(UrlScannerTest.line(url)))
        .refresh(content, base == null ? null : base(base));
    return found;
  }

  private static WebUrl base(String text) {
    return WebUrl.parse(text).toOptional().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "http://evil.example/a|evil.example/a",
        "  http://evil.example/a b |evil.example/a%20b",
        "\u0001\u0002 http://evil.example/|evil.example/",
        "HTTPS:\\\\evil.example\\a|evil.example/a",
        "http:evil.example/a|evil.example/a",
        "http:/evil.example/a|evil.example/a",
        "//evil.example/a|evil.example/a",
        "\\\\evil.example/a|evil.example/a",
        "/\\evil.example/a|evil.example/a",
        "///evil.example/a|evil.example/a",
        "http://a.example@evil.example/|evil.example/",
        "http://evil.example/a.|evil.example/a.",
        "http://evil.example/a)|evil.example/a)",
        "hxxp://evil.example/a|evil.example/a DEFANGED",
        "www.evil.com/a|www.evil.com/a",
        "evil.com/a?b=c d|evil.com/a?b=c%20d SCHEMELESS",
        "evil.com|evil.com/ SCHEMELESS",
        "ftp://evil.example/a|evil.example/a",
      })
  void readsAsBrowsersDo(String value, String url) {
    assertEquals(List.of(url), attribute(value, null));
  }

  @Test
  void lineBreaksAndTabsAreLeftOut() {
    assertEquals(
        List.of("evil.example/ab"), attribute("\nht\ttp:/\n/ev\ril.example/a\r\nb\n", null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "#",
        "#http://evil.example/",
        "/evil.com/a",
        "a/b.html",
        "index.html",
        "javascript:location='http://evil.example/'",
        "JavaScript:void(0)",
        "java\tscript:x",
        "data:text/plain,http://evil.example",
        "mailto:a@evil.com",
        "cid:image001.png@01D0.evil.com",
        "tel:+1234",
        "sms:123",
        "x-apple-data-detectors://0",
        "about:blank",
        "file:///c:/evil.com",
        "evil.com:80/a",
        "http://",
        "http:",
        "//",
        "?a=http://evil.example/",
        "[unsubscribe]",
        "{{url}}",
        "user@evil.com",
      })
  void givesNothingForOtherValues(String value) {
    assertEquals(List.of(), attribute(value, null));
  }

  @ParameterizedTest
  @CsvSource({
    "c, a.example/x/c",
    "./c, a.example/x/c",
    "../c, a.example/c",
    "/c, a.example/c",
    "\\c, a.example/c",
    "?c, a.example/x/y?c",
    "//b.example/c, b.example/c",
    "http://b.example/c, b.example/c",
    "http:b.example/c, b.example/c",
    "b.com/c, a.example/x/b.com/c",
    "/http://b.com/c, a.example/http:/b.com/c",
  })
  void resolvesAgainstTheBase(String value, String url) {
    assertEquals(List.of(url), attribute(value, "http://a.example/x/y?z=/q"));
  }

  @Test
  void aBaseMakesNothingOfWhatIsNoReference() {
    assertEquals(List.of(), attribute("#c", "a.example"));
    assertEquals(List.of(), attribute("", "a.example"));
    assertEquals(List.of(), attribute("mailto:b@c.example", "a.example"));
    assertEquals(List.of("a.example/c"), attribute("c", "a.example"));
    assertEquals(List.of("[2001:db8::1]/c"), attribute("c", "http://[2001:db8::1]/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "0; url=http://evil.example/a | evil.example/a",
        "0;URL='http://evil.example/a' | evil.example/a",
        "0;url=\"http://evil.example/a\" x | evil.example/a",
        "5 , url = http://evil.example/a | evil.example/a",
        "0.5;http://evil.example/a | evil.example/a",
        "0 http://evil.example/a | evil.example/a",
        "; url=//evil.example/a | evil.example/a",
        "0;url=http:\\\\evil.example | evil.example/",
      })
  void readsRefresh(String content, String url) {
    assertEquals(List.of(url), refresh(content, null));
  }

  @Test
  void refreshWithoutAUrlGivesNothing() {
    for (String content :
        List.of("", "0", "5;", "0;url=", "0;url='", "x;url=http://evil.example", "0x", ";")) {
      assertEquals(List.of(), refresh(content, null), content);
    }
    assertEquals(List.of("a.example/next"), refresh("0;url=next", "a.example"));
    assertEquals(List.of("a.example/urlx"), refresh("0;urlx", "a.example"));
  }
}
