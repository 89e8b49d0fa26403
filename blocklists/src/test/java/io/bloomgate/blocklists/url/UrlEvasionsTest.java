package io.bloomgate.blocklists.url;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Evasions and false positives that users of other filters reported, one a line of {@code
 * url-evasions.tsv}.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class UrlEvasionsTest {

  private static final Pattern CHARACTER = Pattern.compile("\\\\u([0-9a-f]{4})");

  /** One line of the file. */
  record Row(String kind, String input, List<String> urls, String source) {}

  static Stream<Row> rows() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    UrlEvasionsTest.class.getResourceAsStream("url-evasions.tsv")),
                UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .map(field ->
              new Row(
                  field[0],
                  text(field[1]),
                  field[2].equals("-") ? List.of() : List.of(field[2].split(" \\+ ")),
                  field[3]))
          .toList()
          .stream();
    }
  }

  private static String text(String written) {
    return CHARACTER
        .matcher(written)
        .replaceAll(c -> Character.toString(Integer.parseInt(c.group(1), 16)))
        .translateEscapes()
        .replace("USER20000", "u".repeat(10_000));
  }

  /** What is found; a text is given in pieces of this number of characters. */
  private static List<String> found(Row row, int piece) {
    List<String> found = new ArrayList<>();
    Consumer<FoundUrl> sink = url -> found.add(UrlScannerTest.line(url));
    switch (row.kind()) {
      case "attribute" -> UrlScannerTest.attribute(row.input(), null, new UrlsLeft(), sink);
      case "refresh" -> new UrlScanner(false, new UrlsLeft(), sink).refresh(row.input(), null);
      default -> {
        UrlScanner scanner = new UrlScanner(row.kind().equals("plain"), new UrlsLeft(), sink);
        char[] text = row.input().toCharArray();
        for (int from = 0; from < text.length; from += piece) {
          scanner.put(text, from, Math.min(text.length, from + piece));
        }
        scanner.end();
      }
    }
    return found;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void givesTheUrls(Row row) {
    assertEquals(row.urls(), found(row, Integer.MAX_VALUE / 2), row.source());
    assertEquals(row.urls(), found(row, 1), row.source());
    assertEquals(row.urls(), found(row, 7), row.source());
  }

  @Test
  void noLineIsMissing() throws IOException {
    assertTrue(rows().count() >= 110, "rows: " + rows().count());
  }
}
