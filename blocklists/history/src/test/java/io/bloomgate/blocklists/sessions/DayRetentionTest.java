package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.senders.SteadyClock;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which days are finished and deleted, and which alarms the operator gets. */
final class DayRetentionTest {

  private static final LocalDate TODAY = LocalDate.parse("2026-11-23");
  private static final Instant NOW = TODAY.atTime(12, 0).toInstant(ZoneOffset.UTC);
  private static final Duration RETAIN = Duration.ofDays(30);

  @TempDir private Path state;
  private final List<String> alarms = new ArrayList<>();
  private Instant wall = NOW;
  private long nanos;
  private SessionDays days;
  private DayRetention retention;

  @BeforeEach
  void directory() throws IOException {
    days = new SessionDays(state);
    days.create();
    retention = new DayRetention(days);
  }

  private Day write(LocalDate date) throws IOException {
    Day day = days.day(date, 1);
    try (DayWriter writer = DayWriter.open(day.file(), date)) {
      writer.add(new KeptSessions(1).next(date.atStartOfDay().toInstant(ZoneOffset.UTC)), null);
      writer.commit();
    }
    return day;
  }

  @Test
  void theDayThatIsWrittenStaysAndNoMoreIsWrittenIntoIt() throws IOException {
    Day before = write(TODAY.minusDays(1));
    Day today = write(TODAY);
    retention.tend(NOW, RETAIN, today.octets() - 1, alarms::add);
    assertTrue(Files.exists(today.file()));
    assertFalse(Files.exists(before.file()));
    assertTrue(retention.isFull());
    assertEquals(1, alarms.size(), alarms.toString());
    retention.tend(NOW, RETAIN, today.octets(), alarms::add);
    assertFalse(retention.isFull());
    assertEquals(1, alarms.size(), alarms.toString());
  }

  @Test
  void aClockFarAheadDeletesNothingUntilItHasLastedForADay() throws IOException {
    Duration leap = Duration.ofDays(40);
    retention = new DayRetention(days, () -> wall, () -> nanos);
    Day old = write(TODAY.minusDays(30));
    Day today = write(TODAY);
    tend();
    wall = wall.plus(leap);
    Day future = write(DaySchema.dayOf(wall));
    for (int minute = 0; minute < 3; minute++) {
      pass(Duration.ofMinutes(1));
      tend();
    }
    assertTrue(Files.exists(old.file()));
    assertTrue(Files.exists(today.file()));
    assertEquals(1, alarms.size(), alarms.toString());
    assertTrue(
        alarms.getFirst().contains("the clock leapt ahead to 2027-01-02"), alarms.toString());
    wall = wall.minus(leap);
    tend();
    assertTrue(Files.exists(old.file()));
    assertTrue(Files.exists(future.file()));
    wall = wall.plus(leap);
    pass(Duration.ofMinutes(1));
    tend();
    assertEquals(2, alarms.size(), alarms.toString());
    pass(SteadyClock.DOUBT);
    tend();
    assertFalse(Files.exists(today.file()));
    assertTrue(Files.exists(future.file()));
  }

  /** Hosts without a battery for their clock start with any time. */
  @Test
  void aStartWithAClockFarAheadDeletesNothingUntilItHasLastedForADay() throws IOException {
    List<Day> kept = new ArrayList<>();
    for (int day = 10; day > 0; day--) {
      kept.add(write(TODAY.minusDays(day)));
    }
    wall = wall.plus(Duration.ofDays(200));
    Day wrong = write(DaySchema.dayOf(wall));
    for (int start = 0; start < 3; start++) {
      retention = new DayRetention(days, () -> wall, () -> nanos);
      alarms.clear();
      tend();
      pass(Duration.ofHours(9));
      tend();
      assertEquals(1, alarms.size(), alarms.toString());
      assertTrue(alarms.getFirst().contains("about 2026-11-23T"), alarms.toString());
      // The third start finds a file of two wrong days.
      write(DaySchema.dayOf(wall));
    }
    kept.forEach(day -> assertTrue(Files.exists(day.file()), day.toString()));
    pass(SteadyClock.DOUBT);
    tend();
    kept.forEach(day -> assertFalse(Files.exists(day.file()), day.toString()));
    assertTrue(Files.exists(wrong.file()));
  }

  @Test
  void aStartWithFilesOfTheLastDaysDeletesOldOnesAtOnce() throws IOException {
    Day old = write(TODAY.minusDays(31));
    write(TODAY.minusDays(3));
    Day yesterday = write(TODAY.minusDays(1));
    retention = new DayRetention(days, () -> wall, () -> nanos);
    tend();
    assertFalse(Files.exists(old.file()));
    assertTrue(Files.exists(yesterday.file()));
    assertEquals(List.of(), alarms);
  }

  private void pass(Duration time) {
    wall = wall.plus(time);
    nanos += time.toNanos();
  }

  private void tend() {
    retention.tend(wall, RETAIN, Long.MAX_VALUE, alarms::add);
  }

  /** It counts like a day that is over, so that today's sessions are kept. */
  @Test
  void aDayOfTheFutureDoesNotFillTheRoomOfToday() throws IOException {
    Day future = write(TODAY.plusDays(40));
    Day today = write(TODAY);
    retention.tend(NOW, RETAIN, today.octets(), alarms::add);
    assertFalse(retention.isFull());
    assertTrue(Files.exists(today.file()));
    assertFalse(Files.exists(future.file()));
    assertEquals(1, alarms.size(), alarms.toString());
    assertTrue(alarms.getFirst().contains(future.date().toString()), alarms.toString());
  }
}
