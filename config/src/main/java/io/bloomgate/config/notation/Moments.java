package io.bloomgate.config.notation;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notations for a point in time: a duration from now such as {@code 7d}, {@code 10 min ago},
 * {@code yesterday}, a date or {@code 2026-12-01T12:00}. Where no zone is given it is UTC. Used by
 * the command line, by the administrator's page and for lines of list files. Pure.
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

  /** A distance as people write it; the first letter of the unit is that of a duration. */
  private static final Pattern AGO =
      Pattern.compile("([0-9]+) ?([smhd])(?:ec|econds?|in|inutes?|ours?|ays?)?(?: ago)?");

  private Moments() {}

  /** Reads a time; {@code 7d} means in seven days. */
  public static Instant ahead(String text, Instant now) throws BadValueException {
    return read(text, text, now, 1, ZoneOffset.UTC);
  }

  /**
   * Reads a time; {@code 7d} means seven days ago, {@code yesterday} its beginning.
   *
   * @param zone of times without one
   */
  public static Instant back(String text, Instant now, ZoneId zone) throws BadValueException {
    if (text.equals("today") || text.equals("yesterday")) {
      LocalDate today = LocalDate.ofInstant(now, zone);
      return today.minusDays(text.equals("today") ? 0 : 1).atStartOfDay(zone).toInstant();
    }
    Matcher ago = AGO.matcher(text);
    String duration = ago.matches() ? ago.group(1) + ago.group(2) : text;
    return read(text, duration, now, -1, zone);
  }

  /**
   * Reads a date or a time, and no duration.
   *
   * @throws DateTimeException when the text is neither
   */
  public static Instant exact(String text) {
    return exact(text, ZoneOffset.UTC);
  }

  private static Instant exact(String text, ZoneId zone) {
    TemporalAccessor read =
        ISO.parseBest(
            text.replace(' ', 'T'), ZonedDateTime::from, LocalDateTime::from, LocalDate::from);
    return switch (read) {
      case LocalDateTime time -> time.atZone(zone).toInstant();
      case LocalDate date -> date.atStartOfDay(zone).toInstant();
      default -> Instant.from(read);
    };
  }

  private static Instant read(String text, String duration, Instant now, int direction, ZoneId zone)
      throws BadValueException {
    try {
      return exact(text, zone);
    } catch (DateTimeException e) {
      try {
        return now.plusSeconds(direction * Quantities.duration(duration).toSeconds())
            .truncatedTo(ChronoUnit.SECONDS);
      } catch (BadValueException bad) {
        throw new BadValueException(
            Shown.bare(text) + " is not a time", "write 7d, 2026-12-01 or 2026-12-01T12:00:00Z");
      }
    }
  }
}
