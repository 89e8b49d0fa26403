package io.bloomgate.cli.command;

import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads a point in time as people give it: a time from now such as {@code 7d} or {@code 2h ago}, a
 * date or {@code 2026-12-01T12:00}. Where no zone is given it is UTC, as in all that commands
 * print. Pure.
 */
public final class PointInTime {

  private static final String AGO = " ago";

  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:mm", "Z")
          .toFormatter(Locale.ROOT);

  private PointInTime() {}

  /** A time in the future, for the end of something. */
  static Instant ahead(String option, String text, Instant now) throws CliException {
    return read(option, text, now, 1);
  }

  /** Means no end. */
  public static final String NEVER = "never";

  /**
   * The end of an entry: a time ahead or {@code never}.
   *
   * @param text {@code null} when none was given
   * @param hint what to do when the time is in the past
   * @return {@code null} for no end
   */
  public static @Nullable Instant end(@Nullable String text, Instant now, String hint)
      throws CliException {
    if (text == null || NEVER.equals(text)) {
      return null;
    }
    Instant end = ahead("--expires", text, now);
    if (!end.isAfter(now)) {
      throw new CliException(ExitCode.USAGE, text + " is in the past", hint);
    }
    return end;
  }

  /** A time that is not in the future: the beginning of a question, or its moment. */
  public static Instant past(String option, String text, Instant now) throws CliException {
    String ago = text.endsWith(AGO) ? text.substring(0, text.length() - AGO.length()) : text;
    Instant time = read(option, ago.strip(), now, -1);
    if (time.isAfter(now)) {
      throw new CliException(
          ExitCode.USAGE, option + " " + text + " is in the future", "write `2h ago`, or a time");
    }
    return time;
  }

  private static Instant read(String option, String text, Instant now, int direction)
      throws CliException {
    try {
      TemporalAccessor read =
          ISO.parseBest(
              text.replace(' ', 'T'), ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
      return switch (read) {
        case LocalDateTime time -> time.toInstant(ZoneOffset.UTC);
        case LocalDate date -> date.atStartOfDay(ZoneOffset.UTC).toInstant();
        default -> Instant.from(read);
      };
    } catch (DateTimeException e) {
      try {
        return now.plusSeconds(direction * Quantities.duration(text).toSeconds())
            .truncatedTo(ChronoUnit.SECONDS);
      } catch (BadValueException bad) {
        throw new CliException(
            ExitCode.USAGE,
            option + " " + text + " is not a time",
            "write 7d, 2026-12-01 or 2026-12-01T12:00:00Z");
      }
    }
  }
}
