package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void oneDayIsDeletedForItsAgeInAnHour() throws IOException {
    Day oldest = write(TODAY.minusDays(33));
    Day old = write(TODAY.minusDays(31));
    Day last = write(TODAY.minusDays(30));
    for (int minute = 0; minute < 60; minute++) {
      retention.tend(NOW.plus(Duration.ofMinutes(minute)), RETAIN, Long.MAX_VALUE, alarms::add);
      assertFalse(Files.exists(oldest.file()));
      assertTrue(Files.exists(old.file()), "a clock that is wrong for some hours costs some days");
    }
    retention.tend(NOW.plus(Duration.ofHours(1)), RETAIN, Long.MAX_VALUE, alarms::add);
    assertFalse(Files.exists(old.file()));
    retention.tend(NOW.plus(Duration.ofHours(2)), RETAIN, Long.MAX_VALUE, alarms::add);
    assertTrue(Files.exists(last.file()));
    assertEquals(List.of(), alarms);
  }

  @Test
  void aClockThatWasSetBackStopsNothing() throws IOException {
    write(TODAY.minusDays(33));
    Day old = write(TODAY.minusDays(31));
    retention.tend(NOW.plus(Duration.ofDays(200)), RETAIN, Long.MAX_VALUE, alarms::add);
    retention.tend(NOW, RETAIN, Long.MAX_VALUE, alarms::add);
    assertFalse(Files.exists(old.file()));
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
