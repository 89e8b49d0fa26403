package io.bloomgate.blocklists.replay;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of log lines: {@code Nov 21 07:39:01}, whose year is the latest that is not after
 * the file, ISO 8601 with {@code T} or a space, with and without a zone, and numbers since 1970.
 * For one file. Pure.
 */
final class LogClock {

  private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

  /** Clocks of the machine that wrote the log and of this one may differ. */
  private static final Duration TOLERANCE = Duration.ofDays(1);

  /** 29 February is at most eight years back. */
  private static final int YEARS_BACK = 8;

  /** Characters of the shortest time, {@code Nov 21 07:39:01}, with a space behind it. */
  private static final int SHORTEST = 16;

  /** Digits of a number of seconds since 1970, from 2001 to 2286; of nanoseconds. */
  private static final int SECONDS = 10;

  private static final int NANOSECONDS = 19;

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
    int last = Math.min(line.length() - SHORTEST, LogText.MAX_BEFORE);
    for (int at = 0; at <= last; at++) {
      if (mayBegin(line, at)) {
        Stamped stamped = at(line.substring(at));
        if (stamped != null) {
          return stamped;
        }
      }
    }
    return null;
  }

  /** True for a month or four digits at the beginning of a word. */
  private static boolean mayBegin(String line, int at) {
    char before = at == 0 ? ' ' : line.charAt(at - 1);
    if (Character.isLetterOrDigit(before) || "-_:./".indexOf(before) >= 0) {
      return false;
    }
    return digits(line, at, at + 4) >= 0 || MONTHS.contains(line.substring(at, at + 3));
  }

  private @Nullable Stamped at(String line) {
    try {
      if (line.charAt(4) == '-') {
        return iso(line);
      }
      return Character.isDigit(line.charAt(0)) ? number(line) : syslog(line);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Seconds, with or without a fraction, or milli-, micro- or nanoseconds since 1970. */
  private static @Nullable Stamped number(String line) {
    int end = 0;
    while (end < line.length() && end <= NANOSECONDS && digits(line, end, end + 1) >= 0) {
      end++;
    }
    if (end < SECONDS || (end - SECONDS) % 3 != 0) {
      return null;
    }
    long seconds = Long.parseLong(line.substring(0, SECONDS));
    int space = line.indexOf(' ', end);
    boolean whole = space == end || (space > end && digits(line, end + 1, space) >= 0);
    return whole
        ? new Stamped(Instant.ofEpochSecond(seconds), line.substring(space).stripLeading())
        : null;
  }

  private @Nullable Stamped syslog(String line) {
    int month = MONTHS.indexOf(line.substring(0, 3));
    int end = line.indexOf(' ', SHORTEST - 1);
    boolean whole = end == SHORTEST - 1 || (end >= SHORTEST && digits(line, SHORTEST, end) >= 0);
    if (month < 0 || month % 3 != 0 || line.charAt(3) != ' ' || !whole) {
      return null;
    }
    int tens = line.charAt(4) == ' ' ? 0 : digits(line, 4, 5);
    int day = 10 * tens + digits(line, 5, 6);
    LocalTime time = time(line, 7);
    if (tens < 0 || time == null) {
      return null;
    }
    for (int year = latest.getYear(); year >= latest.getYear() - YEARS_BACK; year--) {
      LocalDate first = LocalDate.of(year, month / 3 + 1, 1);
      if (day >= 1 && day <= first.lengthOfMonth()) {
        LocalDateTime at = first.withDayOfMonth(day).atTime(time);
        if (!at.isAfter(latest)) {
          return new Stamped(at.atZone(zone).toInstant(), line.substring(end + 1));
        }
      }
    }
    return null;
  }

  private @Nullable Stamped iso(String line) {
    boolean separated = line.length() > 19 && (line.charAt(10) == 'T' || line.charAt(10) == ' ');
    LocalTime time = separated && line.charAt(7) == '-' ? time(line, 11) : null;
    if (time == null) {
      return null;
    }
    int at = 19;
    if (line.charAt(at) == '.' || line.charAt(at) == ',') {
      int end = at + 1;
      while (end < line.length() && end <= at + 9 && Character.isDigit(line.charAt(end))) {
        end++;
      }
      int millis = digits(line, at + 1, Math.min(end, at + 4));
      time = end >= at + 4 && millis >= 0 ? time.withNano(millis * 1_000_000) : time;
      at = end;
    }
    int year = digits(line, 0, 4);
    if (year < 0) {
      return null;
    }
    LocalDateTime local = LocalDate.of(year, digits(line, 5, 7), digits(line, 8, 10)).atTime(time);
    int end = zoneEnd(line, at);
    String name = line.substring(at, end).strip().replace("UTC", "Z");
    Instant instant =
        name.isEmpty() ? local.atZone(zone).toInstant() : local.toInstant(ZoneOffset.of(name));
    return new Stamped(instant, line.substring(end).stripLeading());
  }

  /** The end of {@code Z}, {@code +01:00} or {@code +0100}; the position itself for none. */
  private static int zoneEnd(String line, int at) {
    int sign = at < line.length() && line.charAt(at) == ' ' ? at + 1 : at;
    if (line.startsWith("Z", at)) {
      return at + 1;
    }
    if (line.startsWith(" UTC", at)) {
      return at + 4;
    }
    boolean zoned = sign + 5 <= line.length() && "+-".indexOf(line.charAt(sign)) >= 0;
    if (!zoned || digits(line, sign + 1, sign + 3) < 0) {
      return at;
    }
    int minutes = line.charAt(sign + 3) == ':' ? sign + 4 : sign + 3;
    boolean whole = minutes + 2 <= line.length() && digits(line, minutes, minutes + 2) >= 0;
    return whole ? minutes + 2 : at;
  }

  private static @Nullable LocalTime time(String line, int at) {
    int hour = digits(line, at, at + 2);
    int minute = digits(line, at + 3, at + 5);
    int second = digits(line, at + 6, at + 8);
    boolean colons = line.charAt(at + 2) == ':' && line.charAt(at + 5) == ':';
    if (!colons || hour < 0 || minute < 0 || second < 0) {
      return null;
    }
    // A leap second.
    return LocalTime.of(hour, minute, Math.min(second, 59));
  }

  /** A number of ASCII digits; -1 for anything else. */
  private static int digits(String line, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = 10 * number + (c - '0');
    }
    return to > from ? number : -1;
  }
}
