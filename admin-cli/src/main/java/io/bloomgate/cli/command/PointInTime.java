package io.bloomgate.cli.command;

import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.Quantities;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads a point in time as people give it: a time from now such as {@code 7d}, a date (its
 * beginning, UTC) or {@code 2026-12-01T12:00:00Z}. Pure.
 */
public final class PointInTime {

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

  /** A time in the past, for the beginning of something. */
  public static Instant before(String option, String text, Instant now) throws CliException {
    return read(option, text, now, -1);
  }

  private static Instant read(String option, String text, Instant now, int direction)
      throws CliException {
    try {
      return text.indexOf('T') > 0
          ? Instant.parse(text)
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
    } catch (DateTimeParseException e) {
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
