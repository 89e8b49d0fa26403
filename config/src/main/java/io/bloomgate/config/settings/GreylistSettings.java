package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import java.time.Duration;

/**
 * The section {@code greylist}: what {@code action: greylist} asks of a sender. Immutable; read by
 * the gateway.
 *
 * @param delay a sender that comes again earlier is put off again
 * @param window a sender that comes again later begins again
 */
public record GreylistSettings(Duration delay, Duration window) {

  /** Reads the section. */
  static GreylistSettings bind(Section s) {
    GreylistSettings settings =
        new GreylistSettings(
            s.value("delay", "5m", Values.duration("1s", "1d")),
            s.value("window", "24h", Values.duration("1m", "30d")));
    s.problemIf(
        settings.window().compareTo(settings.delay()) <= 0,
        "window",
        "the window ends before the delay is over, so nobody could ever come again in time",
        "write a window of some hours; mail servers try again for days");
    return settings;
  }
}
