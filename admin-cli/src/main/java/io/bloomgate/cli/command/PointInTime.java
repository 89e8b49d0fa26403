package io.bloomgate.cli.command;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Moments;
import io.bloomgate.config.notation.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options that name a point in time, in the notations of {@link Moments}. Called by
 * commands; pure.
 */
public final class PointInTime {

  private PointInTime() {}

  /**
   * The end of an entry: a time ahead or {@code never}.
   *
   * @param text {@code null} when none was given
   * @param hint what to do when the time is in the past
   * @return {@code null} for no end
   */
  public static @Nullable Instant end(@Nullable String text, Instant now, String hint)
      throws CliException {
    if (text == null || Moments.NEVER.equals(text)) {
      return null;
    }
    try {
      Instant end = Moments.ahead(text, now);
      CliException.refuseIf(!end.isAfter(now), text + " is in the past", hint);
      return end;
    } catch (BadValueException e) {
      throw wrong("--expires", e);
    }
  }

  /** A time that is not in the future: the beginning of a question, or its moment. */
  static Instant past(String option, String text, Instant now, ZoneId zone) throws CliException {
    try {
      Instant time = Moments.back(text.strip(), now, zone);
      CliException.refuseIf(
          time.isAfter(now),
          option + " " + text + " is in the future",
          "write `2h ago`, or a time");
      return time;
    } catch (BadValueException e) {
      throw wrong(option, e);
    }
  }

  /** A time that something lasts; {@code null} when none was given. */
  public static @Nullable Duration span(String option, @Nullable String text) throws CliException {
    try {
      return text == null ? null : Quantities.span(text);
    } catch (BadValueException e) {
      throw wrong(option, e);
    }
  }

  private static CliException wrong(String option, BadValueException e) {
    return CliException.usage(option + " " + e.problem(), e.hint());
  }
}
