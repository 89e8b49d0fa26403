package io.bloomgate.blocklists.replay;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of log lines: {@code Nov 21 07:39:01}, whose year is the latest that is not after
 * the file, ISO 8601 with {@code T} or a space, with and without a zone, and numbers since 1970.
 * For one file. Pure.
 */
final class LogClock {

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  private static final String OF_DAY = "\\d\\d:\\d\\d:\\d\\d";

  /**
   * A time at the beginning of a word: of syslog, of ISO 8601, and seconds since 1970 with or
   * without a fraction, or milli-, micro- or nanoseconds. Of each form all parts have a bound.
   */
  private static final Pattern TIME =
      Pattern.compile(
          "(?<![\\p{L}\\p{Nd}_:./-])(?:(?<month>"
              + MONTHS.replaceAll("(?<=[a-z])(?=[A-Z])", "|")
              + ") (?<day>[ \\d]\\d) (?<clock>"
              + OF_DAY
              + ")(?:\\S\\d{1,9})? |(?<date>\\d{4}-\\d\\d-\\d\\d)[T ](?<time>"
              + OF_DAY
              + ")(?=.)(?:[.,](?:(?<millis>\\d{3})\\d{0,6}|\\d{0,2}))?"
              + "(?<zone>Z| UTC| ?[+-]\\d\\d:?\\d\\d)?\\h*"
              + "|(?<seconds>\\d{10})(?:\\d{3}){0,3}(?:\\D\\d{1,9})? \\h*)");

  /** Characters of the longest time. */
  private static final int LONGEST = 60;

  /** Clocks of the machine that wrote the log and of this one may differ. */
  private static final Duration TOLERANCE = Duration.ofDays(1);

  /** 29 February is at most eight years back. */
  private static final int YEARS_BACK = 8;

  private final LocalDateTime latest;
  private final ZoneId zone;

  /** A line without its time. */
  record Stamped(Instant at, String rest) {}

  /**
   * The clock of a file.
   *
   * @param written when the file was last written
   * @param zone of times that name none
   */
  LogClock(Instant written, ZoneId zone) {
    this.latest = LocalDateTime.ofInstant(written.plus(TOLERANCE), zone);
    this.zone = zone;
  }

  /**
   * The first time in a line, wherever it begins, and what is behind it; {@code null} for a line
   * without a time at its beginning.
   */
  @Nullable Stamped read(String line) {
    Matcher time =
        TIME.matcher(line)
            .useTransparentBounds(true)
            .region(0, Math.min(line.length(), LogText.MAX_BEFORE + LONGEST));
    while (time.find()) {
      try {
        Instant at = instant(time);
        if (at != null) {
          return new Stamped(at, line.substring(time.end()));
        }
      } catch (DateTimeException e) {
        // Like 2026-13-21: what is behind it may be a time.
      }
    }
    return null;
  }

  private @Nullable Instant instant(Matcher time) {
    String seconds = time.group("seconds");
    if (seconds != null) {
      return Instant.ofEpochSecond(Long.parseLong(seconds));
    }
    if (time.group("month") != null) {
      return syslog(time);
    }
    String millis = time.group("millis");
    LocalDateTime at =
        LocalDate.parse(time.group("date"))
            .atTime(ofDay(time.group("time")))
            .plus(Duration.ofMillis(millis == null ? 0 : Long.parseLong(millis)));
    String named = time.group("zone");
    return named == null
        ? at.atZone(zone).toInstant()
        : at.toInstant(ZoneOffset.of(named.strip().replace("UTC", "Z")));
  }

  /** The latest year that has the day; {@code null} when none has. */
  private @Nullable Instant syslog(Matcher time) {
    int month = MONTHS.indexOf(time.group("month")) / 3 + 1;
    int day = Integer.parseInt(time.group("day").strip());
    LocalTime ofDay = ofDay(time.group("clock"));
    for (int year = latest.getYear(); year >= latest.getYear() - YEARS_BACK; year--) {
      if (day >= 1 && day <= YearMonth.of(year, month).lengthOfMonth()) {
        LocalDateTime at = LocalDate.of(year, month, day).atTime(ofDay);
        if (!at.isAfter(latest)) {
          return at.atZone(zone).toInstant();
        }
      }
    }
    return null;
  }

  /** Reads hours, minutes and seconds; a leap second is the one before. */
  private static LocalTime ofDay(String text) {
    return LocalTime.parse(text.endsWith(":60") ? text.substring(0, 6) + "59" : text);
  }
}
