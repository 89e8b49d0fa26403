package io.bloomgate.config.settings;

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

/**
 * The notations for a point in time: a duration from now such as {@code 7d}, a date or {@code
 * 2026-12-01T12:00}. Where no zone is given it is UTC. Used by the command line, by the
 * administrator's page and for lines of list files. Pure.
 */
public final class Moments {

  /** Means no end. */
  public static final String NEVER = "never";

  private static final DateTimeFormatter ISO =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:mm", "Z")
          .toFormatter(Locale.ROOT);

  private Moments() {}

  /** Reads a time; {@code 7d} means in seven days. */
  public static Instant ahead(String text, Instant now) throws BadValueException {
    return read(text, now, 1);
  }

  /** Reads a time; {@code 7d} means seven days ago. */
  public static Instant back(String text, Instant now) throws BadValueException {
    return read(text, now, -1);
  }

  /**
   * Reads a date or a time, and no duration.
   *
   * @throws DateTimeException when the text is neither
   */
  public static Instant exact(String text) {
    TemporalAccessor read =
        ISO.parseBest(
            text.replace(' ', 'T'), ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
    return switch (read) {
      case LocalDateTime time -> time.toInstant(ZoneOffset.UTC);
      case LocalDate date -> date.atStartOfDay(ZoneOffset.UTC).toInstant();
      default -> Instant.from(read);
    };
  }

  private static Instant read(String text, Instant now, int direction) throws BadValueException {
    try {
      return exact(text);
    } catch (DateTimeException e) {
      try {
        return now.plusSeconds(direction * Quantities.duration(text).toSeconds())
            .truncatedTo(ChronoUnit.SECONDS);
      } catch (BadValueException bad) {
        throw new BadValueException(
            Shown.bare(text) + " is not a time", "write 7d, 2026-12-01 or 2026-12-01T12:00:00Z");
      }
    }
  }
}
