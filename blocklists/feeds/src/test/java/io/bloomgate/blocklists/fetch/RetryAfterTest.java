package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Dates and validators of an answer: how long to stay away, and which version is older. */
class RetryAfterTest {

  private static final String NOW = "Sat, 21 Nov 2026 12:00:00 GMT";

  /** Ours goes differently. */
  private static final Instant LATER = Instant.parse("2026-11-21T12:01:00Z");

  /** Some servers send no Date: then our clock has to do, but for seconds. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          120                           | NOW      | PT2M
          120                           | ''       | PT2M
          0                             | NOW      | PT0S
          86401                         | NOW      | PT24H
          999999999999999999999         | NOW      | PT24H
          Sat, 21 Nov 2026 12:05:00 GMT | NOW      | PT5M
          Sat, 21 Nov 2026 12:05:00 GMT | ''       | PT4M
          Sat, 21 Nov 2026 12:05:00 GMT | nonsense | PT4M
          Sat, 21 Nov 2026 12:00:30 GMT | ''       | -
          Wed, 21 Nov 2035 12:05:00 GMT | NOW      | PT24H
          Sat, 21 Nov 2026 11:00:00 GMT | NOW      | -
          tomorrow                      | NOW      | -
          -5                            | NOW      | -
          1.5                           | NOW      | -
          """)
  void saysHowLongToStayAway(String header, String date, String wait) {
    String got =
        RetryAfter.of(header, date.replace("NOW", NOW), LATER).map(Object::toString).orElse(null);
    assertEquals(wait, got);
  }

  private static final String MONDAY = "Mon, 16 Nov 2026 07:00:00 GMT";

  private static Validators modified(String address, String date) {
    return new Validators(Map.of(address, new Validators.Stamp("", date)), "", "", address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Sun, 15 Nov 2026 07:00:00 GMT | 1
          Mon, 16 Nov 2026 06:00:00 GMT | 1
          Mon, 16 Nov 2026 06:00:01 GMT | 0
          Mon, 16 Nov 2026 07:00:00 GMT | 0
          Tue, 17 Nov 2026 07:00:00 GMT | 0
          yesterday                     | 0
          ''                            | 0
          """)
  void aVersionThatGoesBackIsOlder(String date, int reasons) {
    assertEquals(
        reasons, modified("u", date).olderThan(modified("u", MONDAY)).size(), "mirrors may lag");
    assertEquals(List.of(), modified("u", MONDAY).olderThan(modified("u", "")));
    assertEquals(List.of(), modified("v", date).olderThan(modified("u", MONDAY)));
  }

  @Test
  void theReasonNamesBothTimes() {
    assertEquals(
        List.of(
            "older than the live version: Last-Modified is of 2026-11-15T07:00:00Z, live is"
                + " 2026-11-16T07:00:00Z"),
        modified("u", "Sun, 15 Nov 2026 07:00:00 GMT").olderThan(modified("u", MONDAY)));
  }
}
