package io.bloomgate.gateway.report;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The time that a report covers: hours up to two days, else days, or several days together.
 * Immutable.
 *
 * @param since the earliest moment
 * @param until the moment after the latest
 * @param zone whose hours and days are counted
 * @param periods the begin of each hour or day, the oldest first; the first may be before {@code
 *     since}
 */
record ReportTime(Instant since, Instant until, ZoneId zone, List<Instant> periods) {

  /** A longer time is counted by days. */
  private static final Duration MAX_BY_HOUR = Duration.ofDays(2);

  /** Periods of a report at most; more days are counted several together. */
  private static final int MAX_DAYS = 62;

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
  private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
  private static final DateTimeFormatter MONTH_DAY =
      DateTimeFormatter.ofPattern("MM-dd", Locale.ROOT);

  ReportTime {
    periods = List.copyOf(periods);
  }

  static ReportTime of(Instant since, Instant until, ZoneId zone) {
    boolean hours = isByHour(since, until);
    ZonedDateTime end = until.atZone(zone);
    ZonedDateTime begin =
        since.atZone(zone).truncatedTo(hours ? ChronoUnit.HOURS : ChronoUnit.DAYS);
    long days = Math.ceilDiv(ChronoUnit.DAYS.between(begin, end) + 1, MAX_DAYS);
    List<Instant> periods = new ArrayList<>();
    for (ZonedDateTime at = begin;
        at.isBefore(end);
        at = hours ? at.plusHours(1) : at.plusDays(days)) {
      periods.add(at.toInstant());
    }
    return new ReportTime(since, until, zone, periods);
  }

  private static boolean isByHour(Instant since, Instant until) {
    return Duration.between(since, until).compareTo(MAX_BY_HOUR) <= 0;
  }

  /** True when the periods are hours. */
  boolean byHour() {
    return isByHour(since, until);
  }

  /** The number of the period of a moment, which is not before {@code since}. */
  int period(Instant at) {
    int found = Collections.binarySearch(periods, at);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  /** A moment for people. */
  String minute(Instant at) {
    return MINUTE.format(at.atZone(zone));
  }

  /** The begin of a period for people. */
  String begin(int period) {
    return byHour() ? minute(periods.get(period)) : DAY.format(periods.get(period).atZone(zone));
  }

  /** The time that a period takes, behind a number of sessions. */
  String each() {
    if (byHour()) {
      return "an hour";
    }
    long days =
        periods.size() < 2
            ? 1
            : ChronoUnit.DAYS.between(periods.get(0).atZone(zone), periods.get(1).atZone(zone));
    return days == 1 ? "a day" : "in " + days + " days";
  }

  /**
   * The periods to name below a chart: midnight is among the hours.
   *
   * @param most of them, beside the first one
   */
  List<Integer> labelled(int most) {
    List<Integer> labelled = new ArrayList<>();
    int step = Math.ceilDiv(periods.size(), most);
    while (byHour() && 24 % step != 0) {
      step++;
    }
    for (int i = 0; i < periods.size(); i++) {
      int place = byHour() ? periods.get(i).atZone(zone).getHour() : i;
      if (place % step == 0) {
        labelled.add(i);
      }
    }
    return labelled;
  }

  /**
   * The begin of a period below a chart: hours need a date at the first one and at midnight.
   *
   * @param first true for the first one of the chart
   */
  String label(int period, boolean first) {
    ZonedDateTime begin = periods.get(period).atZone(zone);
    if (!byHour() || begin.getHour() == 0) {
      return MONTH_DAY.format(begin);
    }
    return (first ? MONTH_DAY.format(begin) + " " : "") + HOUR.format(begin);
  }

  /** All of it for people. */
  @Override
  public String toString() {
    return minute(since) + " to " + minute(until) + " (" + zone + ")";
  }
}
