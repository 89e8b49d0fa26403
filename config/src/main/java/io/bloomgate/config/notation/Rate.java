package io.bloomgate.config.notation;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A bound of events in time: {@code 60/m burst 100} is sixty times a minute in the long run, and up
 * to a hundred times at once after a pause.
 *
 * @param burst times at once, at least one
 * @param each the time in which one of them is regained
 */
public record Rate(int burst, Duration each) {

  private static final Pattern FORM =
      Pattern.compile("([1-9][0-9]{0,5})/([smhd])(?: burst ([1-9][0-9]{0,5}))?");

  private static final Map<String, Duration> UNITS =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** A burst that takes longer to be regained is no rate. */
  private static final Duration LONGEST = Duration.ofDays(30);

  /** Reads the form above; without a burst as many at once as in one unit of time. */
  public static Rate read(String text) throws BadValueException {
    String hint = "write for example 60/m, or 60/m burst 100 (units: s m h d), or none";
    Matcher form = FORM.matcher(text);
    Duration unit = form.matches() ? UNITS.get(form.group(2)) : null;
    if (unit == null) {
      throw BadValueException.of(text, "is not a rate", hint);
    }
    int count = Integer.parseInt(form.group(1));
    int burst = form.group(3) == null ? count : Integer.parseInt(form.group(3));
    long each = unit.toNanos() / count;
    if (each > LONGEST.toNanos() / burst) {
      throw BadValueException.of(text, "takes more than 30 days to regain its burst", hint);
    }
    return new Rate(burst, Duration.ofNanos(each));
  }
}
