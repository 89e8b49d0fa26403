package io.bloomgate.blocklists.url;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Links of texts as mail programs make them, and URLs inside of others. */
final class TextUrlsTest {

  /** The URLs that are found, in the order of autolink; those without a scheme with a mark. */
  static List<String> found(String text, boolean isPlain) {
    List<String> found = new ArrayList<>();
    new TextUrls((at, url, hasScheme) ->
        found.add(
            WebUrl.asked(url).map(WebUrl::toString).orElse("none of " + url)
                + (hasScheme ? "" : " bare")))
        .read(text, isPlain);
    return found;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "see http://a.example/x. And | a.example/x",
        "(https://a.example/x) | a.example/x",
        "http://a.example/x_(y) z | a.example/x_(y)",
        "LINKhttp://a.example/x | a.example/x",
        "HTTPS://A.Example/x! | a.example/x",
        "*http://a.example/x* | a.example/x",
        "http://a.example.com\u8bf7 | a.example.com/",
        "www.google.com/a, | www.google.com/a bare",
        "write google.com/a?b now | google.com/a?b bare",
        "home page example.com: | example.com/ bare",
      })
  void findsLinks(String text, String url) {
    assertEquals(url, found(text, true).getFirst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://a.example/x",
        "news://a.example/x",
        "README.md and sendmail.mc",
        "bob@example.com",
        "end.Then more",
        "1.2.3",
        "hxxp://a.example/x",
      })
  void passesOverWhatIsNone(String text) {
    assertEquals(List.of(), found(text, true));
  }

  @Test
  void twoThatTouchAreTwo() {
    assertEquals(
        List.of("a.example/", "b.example/x"), found("http://a.example,http://b.example/x", true));
  }
}
