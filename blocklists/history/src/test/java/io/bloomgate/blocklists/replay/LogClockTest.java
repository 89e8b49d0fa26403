package io.bloomgate.blocklists.replay;

import static java.time.temporal.ChronoUnit.MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.replay.LogClock.Stamped;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times of log lines. */
class LogClockTest {

  private static final Pattern ISO =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:[0-5]\\d(\\.\\d{3,})?(Z|[+-]\\d\\d:\\d\\d)");

  private static final LogClock CLOCK =
      new LogClock(Instant.parse("2026-01-03T12:00:00Z"), ZoneId.of("Europe/Berlin"));

  @ParameterizedTest
  @CsvSource({
    "Jan  3 07:39:01 mx1 x, 2026-01-03T06:39:01Z",
    "Jan  4 07:39:01 mx1 x, 2026-01-04T06:39:01Z",
    "Jan  6 07:39:01 mx1 x, 2025-01-06T06:39:01Z",
    "Dec 31 23:59:60 mx1 x, 2025-12-31T22:59:59Z",
    "Feb 29 00:00:00 mx1 x, 2024-02-28T23:00:00Z",
    "2026-11-21T07:39:01.123456+01:00 mx1 x, 2026-11-21T06:39:01.123Z",
    "2026-11-21T07:39:01Z mx1 x, 2026-11-21T07:39:01Z",
    "2026-07-21 07:39:01.5 +0200 mx1 x, 2026-07-21T05:39:01Z",
    "2026-07-21 07:39:01 mx1 x, 2026-07-21T05:39:01Z",
    "2026-07-23 18:23:59.327090500  mx1 x, 2026-07-23T16:23:59.327Z",
  })
  void aTimeAndTheRest(String line, Instant at) {
    assertEquals(new Stamped(at, "mx1 x"), CLOCK.read(line));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Jan 32 07:39:01 mx1 x",
        "Jan  0 07:39:01 mx1 x",
        "Jxn  3 07:39:01 mx1 x",
        "Jan  3 25:39:01 mx1 x",
        "Jan  3 07-39-01 mx1 x",
        "2026-13-21T07:39:01Z mx1 x",
        "2026-11-21T07:39",
        "20261121T073901Z aaaaaaaaaaaaaaaaaaa",
      })
  void noTime(String line) {
    assertNull(CLOCK.read(line));
  }

  @Test
  void garbageIsNoTimeAndAChangedTimeIsTheOneThatIsWritten() {
    Random random = new Random(7);
    String[] seeds = {"Jan  3 07:39:01 mx1 x", "2026-11-21T07:39:01.123456+01:00 mx1 x"};
    for (int i = 0; i < 20_000; i++) {
      StringBuilder line = new StringBuilder(seeds[i % 2]);
      for (int changes = random.nextInt(4); changes >= 0; changes--) {
        line.setCharAt(random.nextInt(line.length()), (char) (32 + random.nextInt(96)));
      }
      line.setLength(random.nextInt(line.length() + 1));
      Stamped read = CLOCK.read(line.toString());
      if (read != null) {
        assertTrue(line.toString().endsWith(read.rest()), line::toString);
        String time = line.substring(0, line.length() - read.rest().length()).strip();
        assertEquals(new Stamped(read.at(), "x"), CLOCK.read(time + " x"), line::toString);
        if (ISO.matcher(time).matches()) {
          Instant reference = OffsetDateTime.parse(time).toInstant().truncatedTo(MILLIS);
          assertEquals(reference, read.at(), line::toString);
        }
      }
    }
  }
}
