package io.bloomgate.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A moment of the past as people write it. */
class PointInTimeTest {

  private static final Instant NOW = Instant.parse("2026-11-23T18:00:00Z");

  private static Instant read(String text) throws CliException {
    return PointInTime.past("--at", text, NOW, ZoneOffset.UTC);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T10:00Z, 2026-11-20T10:00:00Z",
    "2026-11-20T10:00:30.5Z, 2026-11-20T10:00:30.500Z",
    "2026-11-20T10:00+02:00, 2026-11-20T08:00:00Z",
    "2026-11-20T10:00, 2026-11-20T10:00:00Z",
    "2026-07-20 10:00:01, 2026-07-20T10:00:01Z",
    "2026-11-20, 2026-11-20T00:00:00Z",
    "2h, 2026-11-23T16:00:00Z",
    "2h ago, 2026-11-23T16:00:00Z",
    "10 min ago, 2026-11-23T17:50:00Z",
    "3 hours ago, 2026-11-23T15:00:00Z",
    "1 day, 2026-11-22T18:00:00Z",
    "today, 2026-11-23T00:00:00Z",
    "yesterday, 2026-11-22T00:00:00Z",
    "7d, 2026-11-16T18:00:00Z"
  })
  void timesWithAndWithoutAZone(String text, Instant moment) throws CliException {
    assertEquals(moment, read(text));
  }

  @Test
  void anotherZoneCountsWhereTheTextHasNone() throws CliException {
    ZoneId zone = ZoneId.of("Europe/Berlin");
    assertEquals(
        Instant.parse("2026-11-22T23:00:00Z"), PointInTime.past("--at", "today", NOW, zone));
    assertEquals(
        Instant.parse("2026-07-20T08:00:00Z"),
        PointInTime.past("--at", "2026-07-20T10:00", NOW, zone));
    assertEquals(
        Instant.parse("2026-07-20T10:00:00Z"),
        PointInTime.past("--at", "2026-07-20T10:00Z", NOW, zone));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tomorrow", "2 months ago", "2026-13-01", "10:00", "2026-11-20T", "", "-2h"})
  void whatIsNoTimeSaysWhatIs(String text) {
    CliException wrong = assertThrows(CliException.class, () -> read(text));
    assertTrue(wrong.line().contains("is not a time"), wrong.line());
  }

  @Test
  void theFutureIsRefused() {
    CliException wrong = assertThrows(CliException.class, () -> read("2026-11-23T18:00:01Z"));
    assertTrue(wrong.line().contains("is in the future"), wrong.line());
  }
}
