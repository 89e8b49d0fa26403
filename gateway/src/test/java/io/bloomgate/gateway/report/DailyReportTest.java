package io.bloomgate.gateway.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the daily report is sent. */
final class DailyReportTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final ReportSettings ON =
      new ReportSettings("postmaster@example.com", LocalTime.of(7, 0));
  private static final ReportSettings OFF = new ReportSettings(null, LocalTime.of(7, 0));

  @TempDir private Path folder;
  private Instant now = Instant.parse("2026-11-22T12:00:00Z");
  private ReportSettings settings = ON;
  private boolean fails;

  /** The moments of attempts, and {@code sent} behind those that succeeded. */
  private final List<String> attempts = new ArrayList<>();

  private DailyReport start() {
    return new DailyReport(
        () -> settings, this::send, () -> now, BERLIN, folder.resolve(DailyReport.FILE_NAME));
  }

  private String send(Instant since, String to) throws NotSentException {
    assertEquals("postmaster@example.com", to);
    assertEquals(now.minus(Duration.ofDays(1)), since);
    attempts.add(now.atZone(BERLIN).toLocalDateTime() + (fails ? "" : " sent"));
    if (fails) {
      throw new NotSentException("the mail server is down");
    }
    return "250 2.0.0 Ok";
  }

  /** Minute by minute up to a moment. */
  private void live(DailyReport daily, String until) {
    Instant end = Instant.parse(until);
    while (now.isBefore(end)) {
      daily.tick();
      now = now.plusSeconds(60);
    }
  }

  @Test
  void itIsSentOnceADayAtTheLocalTime() {
    live(start(), "2026-11-25T12:00:00Z");
    assertEquals(
        List.of("2026-11-23T07:00 sent", "2026-11-24T07:00 sent", "2026-11-25T07:00 sent"),
        attempts);
  }

  @Test
  void clocksThatArePutBackOrForwardChangeNothing() {
    now = Instant.parse("2026-10-24T12:00:00Z");
    settings = new ReportSettings(ON.to(), LocalTime.of(2, 30));
    live(start(), "2026-10-26T12:00:00Z");
    now = Instant.parse("2027-03-27T12:00:00Z");
    live(start(), "2027-03-29T12:00:00Z");
    assertEquals(
        List.of(
            "2026-10-25T02:30 sent",
            "2026-10-26T02:30 sent",
            "2027-03-28T03:30 sent",
            "2027-03-29T02:30 sent"),
        attempts);
  }

  @Test
  void nothingIsSentWithoutARecipient() {
    settings = OFF;
    DailyReport daily = start();
    live(daily, "2026-11-24T08:00:00Z");
    assertEquals(List.of(), attempts);
    settings = ON;
    live(daily, "2026-11-24T20:00:00Z");
    assertEquals(List.of(), attempts, "what was due before somebody wanted it");
    live(daily, "2026-11-25T07:00:00Z");
    assertEquals(List.of("2026-11-25T07:00 sent"), attempts);
  }

  @Test
  void aFailureIsTriedAgainAFewTimesAndThenTheNextDay() {
    fails = true;
    DailyReport daily = start();
    live(daily, "2026-11-24T05:00:00Z");
    assertEquals(
        List.of(
            "2026-11-23T07:00",
            "2026-11-23T07:15",
            "2026-11-23T07:45",
            "2026-11-23T08:45",
            "2026-11-23T10:45"),
        attempts);
    live(daily, "2026-11-24T06:05:00Z");
    fails = false;
    live(daily, "2026-11-24T20:00:00Z");
    assertEquals(List.of("2026-11-24T07:00", "2026-11-24T07:15 sent"), attempts.subList(5, 7));
    assertEquals(7, attempts.size());
  }

  @Test
  void aRestartNeitherSendsAgainNorForgets() {
    live(start(), "2026-11-23T06:10:00Z");
    assertEquals(List.of("2026-11-23T07:00 sent"), attempts);
    live(start(), "2026-11-23T07:00:00Z");
    assertEquals(1, attempts.size());
    now = Instant.parse("2026-11-24T07:30:00Z");
    live(start(), "2026-11-24T20:00:00Z");
    assertEquals("2026-11-24T08:30 sent", attempts.getLast());
    assertEquals(2, attempts.size());
  }
}
