package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both forms of the header, from servers whose clocks and wishes are odd. */
class RetryAfterTest {

  private static final String NOW = "Sat, 21 Nov 2026 12:00:00 GMT";

  /** Ours goes differently. */
  private static final Instant LATER = Instant.parse("2026-11-21T12:01:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          120                           | PT2M
          0                             | PT0S
          86401                         | PT24H
          999999999999999999999         | PT24H
          Sat, 21 Nov 2026 12:05:00 GMT | PT5M
          Wed, 21 Nov 2035 12:05:00 GMT | PT24H
          Sat, 21 Nov 2026 11:00:00 GMT | -
          tomorrow                      | -
          -5                            | -
          1.5                           | -
          """)
  void saysHowLongToStayAway(String header, String wait) {
    String got = RetryAfter.of(header, NOW, LATER).map(Object::toString).orElse(null);
    assertEquals(wait, got);
  }

  @ParameterizedTest
  @CsvSource({"'', 120, PT2M", "nonsense, 120, PT2M"})
  void secondsNeedNoDate(String date, String header, String wait) {
    assertEquals(wait, RetryAfter.of(header, date, LATER).map(Object::toString).orElse(null));
  }

  /** Some servers send no Date: then our clock has to do. */
  @ParameterizedTest
  @CsvSource({
    "'', 'Sat, 21 Nov 2026 12:05:00 GMT', PT4M",
    "nonsense, 'Sat, 21 Nov 2026 12:05:00 GMT', PT4M",
    "'', 'Sat, 21 Nov 2026 12:00:30 GMT', "
  })
  void withoutADateOurClockCounts(String date, String header, String wait) {
    assertEquals(wait, RetryAfter.of(header, date, LATER).map(Object::toString).orElse(null));
  }
}
