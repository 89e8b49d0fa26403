package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.yaml.Section;
import java.time.Duration;

/**
 * The section {@code sessions}: what is kept of each session. Immutable; read by the gateway and by
 * commands that read the store.
 *
 * @param retain how long a session is kept; zero keeps none
 * @param maxSizeOctets on the disk; the oldest days are deleted first, and accepted mail of one day
 *     takes at most half. The log of the newest file, 16 MiB at most, is not counted
 * @param privacy how much of an address is written down
 */
public record SessionSettings(Duration retain, long maxSizeOctets, Privacy privacy) {

  /** Reads the section; {@code privacy} is that of the log where the section says nothing else. */
  static SessionSettings bind(Section s, Privacy ofLog) {
    return new SessionSettings(
        s.value("retain", "30d", Values.duration("0s", "3650d")),
        s.value("max_size", "2GiB", Values.size("1MiB", "1024GiB")),
        s.value(
            "privacy",
            "as log",
            Values.noted(
                "as log, full, no_localpart or no_addresses", text -> privacy(text, ofLog))));
  }

  private static Privacy privacy(String text, Privacy ofLog) throws BadValueException {
    return text.equals("as log") ? ofLog : Values.dashed(Privacy.class).read(text);
  }

  /** True when sessions are kept. */
  public boolean keeps() {
    return retain.isPositive();
  }
}
