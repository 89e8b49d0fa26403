package io.bloomgate.config.notation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The notations for quantities: durations {@code 12h}, sizes {@code 50MiB}, ratios {@code 50%},
 * octets a second {@code 128/s}. Used for settings and for command line options. Pure.
 */
public final class Quantities {

  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,15})([A-Za-z]*)");
  private static final Pattern WHOLE_NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(?:\\.[0-9]{1,15})?");
  private static final Map<String, Long> SECONDS =
      Map.of("s", 1L, "m", 60L, "h", 3600L, "d", 86_400L);
  private static final Map<String, Long> OCTETS =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  /** Longest duration that is taken: ten years. */
  private static final long MAX_SECONDS = 3650 * 86_400L;

  private static final String DURATION_HINT = "write for example 12h (units: s m h d)";
  private static final String SIZE_HINT = "write for example 50MiB (units: B KiB MiB GiB)";

  private Quantities() {}

  /** Reads a duration such as {@code 90s}, {@code 5m}, {@code 12h}, {@code 7d} or {@code 0s}. */
  public static Duration duration(String text) throws BadValueException {
    long seconds = inUnits(text, SECONDS, "is not a duration", DURATION_HINT);
    if (seconds > MAX_SECONDS) {
      throw BadValueException.of(text, "is too long", "ten years (3650d) are the most");
    }
    return Duration.ofSeconds(seconds);
  }

  /** Reads how long something is to last: a duration that is not {@code 0s}. */
  public static Duration span(String text) throws BadValueException {
    Duration span = duration(text);
    if (span.isZero()) {
      throw BadValueException.of(text, "is no time at all", DURATION_HINT);
    }
    return span;
  }

  /** Writes a duration in the largest unit that divides it, so that {@link #duration} reads it. */
  public static String text(Duration duration) {
    long seconds = duration.toSeconds();
    for (String unit : List.of("d", "h", "m")) {
      long size = SECONDS.getOrDefault(unit, 1L);
      if (seconds > 0 && seconds % size == 0) {
        return seconds / size + unit;
      }
    }
    return seconds + "s";
  }

  /**
   * Writes a duration in its largest unit, cut, for people: {@code 90 s}, {@code 5 min}. There are
   * two or more of it.
   */
  public static String rough(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds < 120) {
      return seconds + " s";
    }
    if (seconds < 2 * 3600) {
      return seconds / 60 + " min";
    }
    return seconds < 2 * 86_400 ? seconds / 3600 + " h" : seconds / 86_400 + " d";
  }

  /** Writes how far away a moment is: {@code 3 h ago}, {@code in 10 min}. */
  public static String distance(Instant at, Instant now) {
    Duration gone = Duration.between(at, now);
    return gone.isNegative() ? "in " + roughAhead(gone.negated()) : rough(gone) + " ago";
  }

  /** Rounded, so that an entry for seven days shows seven days, not six. */
  private static String roughAhead(Duration left) {
    long s = left.toSeconds();
    long half = s < 119 ? 0 : s < 119 * 60 ? 30 : s < 47 * 3600 ? 30 * 60 : 12 * 3600;
    return rough(left.plusSeconds(half).plusMillis(s < 119 ? 500 : 0));
  }

  /**
   * Writes a number in groups of three digits. By hand: the formatter of the library takes longer
   * to load than most commands take.
   */
  public static String grouped(long number) {
    StringBuilder digits = new StringBuilder().append(number);
    int first = number < 0 ? 1 : 0;
    for (int at = digits.length() - 3; at > first; at -= 3) {
      digits.insert(at, ',');
    }
    return digits.toString();
  }

  /** Writes a number with its noun: {@code 1 entry}, {@code 1,200 entries}. */
  public static String count(long number, String one, String many) {
    return grouped(number) + " " + (number == 1 ? one : many);
  }

  /** Reads a size such as {@code 50MiB}; the result is octets. */
  public static long size(String text) throws BadValueException {
    long octets = inUnits(text, OCTETS, "is not a size", SIZE_HINT);
    if (octets == Long.MAX_VALUE) {
      throw BadValueException.of(text, "is too large", SIZE_HINT);
    }
    return octets;
  }

  /** Reads a number with its unit; what is beyond all numbers is the largest one. */
  private static long inUnits(String text, Map<String, Long> units, String problem, String hint)
      throws BadValueException {
    Matcher m = NUMBER_AND_UNIT.matcher(text);
    Long unit = m.matches() ? units.get(m.group(2)) : null;
    if (unit == null) {
      throw BadValueException.of(text, problem, hint);
    }
    long count = Long.parseLong(m.group(1));
    return count > Long.MAX_VALUE / unit ? Long.MAX_VALUE : count * unit;
  }

  /** Reads a percentage such as {@code 50%}; the result is a ratio, 0.5. */
  public static double percent(String text) throws BadValueException {
    if (text.endsWith("%")) {
      String number = text.substring(0, text.length() - 1);
      if (DECIMAL.matcher(number).matches()) {
        // Rounded once, as a decimal would be; BigDecimal computes large powers when it is loaded.
        return Double.parseDouble(number + "e-2");
      }
    }
    throw BadValueException.of(text, "is not a percentage", "write for example 50%");
  }

  /** Reads a probability such as {@code 0.001}. */
  public static double probability(String text) throws BadValueException {
    if (DECIMAL.matcher(text).matches()) {
      return Double.parseDouble(text);
    }
    throw BadValueException.of(text, "is not a probability", "write for example 0.001");
  }

  /** Reads octets a second such as {@code 128/s}. */
  public static long octetsPerSecond(String text) throws BadValueException {
    if (text.endsWith("/s")) {
      return wholeNumber(text.substring(0, text.length() - 2), "128/s");
    }
    throw BadValueException.of(text, "is not a rate", "write octets a second, for example 128/s");
  }

  /** Reads a whole number that is not negative. */
  public static long wholeNumber(String text, String example) throws BadValueException {
    if (WHOLE_NUMBER.matcher(text).matches()) {
      return Long.parseLong(text);
    }
    throw BadValueException.of(text, "is not a whole number", "write for example " + example);
  }
}
