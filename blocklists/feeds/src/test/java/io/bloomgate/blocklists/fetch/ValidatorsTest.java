package io.bloomgate.blocklists.fetch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A version that the same address had before the live one is older. */
class ValidatorsTest {

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
