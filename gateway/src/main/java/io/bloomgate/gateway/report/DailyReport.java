package io.bloomgate.gateway.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.ReportSettings;
import io.bloomgate.gateway.report.OwnMail.NotSentException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the report once a day at {@code report.at}. A report that cannot be sent is tried again at
 * growing intervals, for hours and not for days. A file remembers which day is done: a gateway that
 * was down at that time sends one report when it is back within hours, and never several. Called by
 * a chore of the housekeeping, which may block; one thread.
 */
public final class DailyReport {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "report.sent";

  /** The time that a report covers. */
  private static final Duration DAY = Duration.ofDays(1);

  /** A report that is later than this is not sent any more. */
  static final Duration LATEST = Duration.ofHours(5);

  /** The pause before the second attempt; each further pause is twice as long. */
  static final Duration FIRST_PAUSE = Duration.ofMinutes(15);

  private static final Logger LOG = LoggerFactory.getLogger(DailyReport.class);

  /** Sends a report. */
  @FunctionalInterface
  public interface Sending {
    /**
     * Sends it.
     *
     * @return the mail server's reply
     */
    String send(Instant since, String to) throws NotSentException;
  }

  private final Supplier<ReportSettings> settings;
  private final Sending sending;
  private final InstantSource clock;
  private final ZoneId zone;
  private final Path file;

  /** The newest due time that needs nothing more; {@code null} before the first round. */
  private @Nullable Instant done;

  private Instant nextTry = Instant.MIN;
  private Duration pause = FIRST_PAUSE;

  /**
   * Nothing is sent yet.
   *
   * @param settings that count now
   * @param zone of {@code report.at}
   * @param file remembers the last report
   */
  public DailyReport(
      Supplier<ReportSettings> settings,
      Sending sending,
      InstantSource clock,
      ZoneId zone,
      Path file) {
    this.settings = settings;
    this.sending = sending;
    this.clock = clock;
    this.zone = zone;
    this.file = file;
  }

  /** Sends what is due; to be called about once a minute. */
  public void tick() {
    ReportSettings now = settings.get();
    Instant time = clock.instant();
    Instant due = due(now, time);
    String to = now.to();
    Instant before = done;
    if (before == null) {
      before = remembered(due);
    }
    done = before;
    if (to == null) {
      done = due; // what was due before somebody wanted it
    } else if (due.isAfter(before) && !time.isBefore(nextTry)) {
      send(due, time, to);
    }
  }

  /** The latest time of the day that has come; one a day, also where clocks are put back. */
  private Instant due(ReportSettings now, Instant time) {
    ZonedDateTime local = time.atZone(zone);
    Instant today = local.toLocalDate().atTime(now.at()).atZone(zone).toInstant();
    return today.isAfter(time)
        ? local.toLocalDate().minusDays(1).atTime(now.at()).atZone(zone).toInstant()
        : today;
  }

  private void send(Instant due, Instant time, String to) {
    if (time.isAfter(due.plus(LATEST))) {
      LOG.error("the report of {} was not sent, and is too late now", due);
      finish(due);
      return;
    }
    try {
      LOG.info("the daily report was sent to {}: {}", to, sending.send(time.minus(DAY), to));
      finish(due);
    } catch (NotSentException e) {
      nextTry = time.plus(pause);
      pause = pause.multipliedBy(2);
      if (nextTry.isAfter(due.plus(LATEST))) {
        LOG.error("the daily report to {} is given up: {}", to, e.getMessage());
        finish(due);
      } else {
        LOG.warn(
            "the daily report to {} was not sent, the next attempt is at {}: {}",
            to,
            nextTry,
            e.getMessage());
      }
    }
  }

  private void finish(Instant due) {
    done = due;
    nextTry = Instant.MIN;
    pause = FIRST_PAUSE;
    try {
      DurableFiles.replace(file, (due + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be written; a restart may send the report again: {}", file, Faults.reason(e));
    }
  }

  /** Reads the day from the file; without one no report is due. */
  private Instant remembered(Instant due) {
    try {
      return Files.exists(file) ? Instant.parse(Files.readString(file, UTF_8).strip()) : due;
    } catch (IOException | DateTimeParseException e) {
      LOG.warn("{} cannot be read; the next report is that of tomorrow: {}", file, e.toString());
      return due;
    }
  }
}
