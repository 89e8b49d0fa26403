package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Limits;

/** The section {@code limits}. Pure. */
final class LimitsBinder {

  /** Recipients that a server must take at least (RFC 5321, section 4.5.3.1.8). */
  private static final int MIN_RECIPIENTS = 100;

  /** Octets of a command line that a server must take at least (RFC 5321, section 4.5.3.1.4). */
  private static final int MIN_COMMAND_LINE = 512;

  private LimitsBinder() {}

  static Limits bind(Section s) {
    long size = s.value("message_size", "50MiB", Values.size("1KiB", "10GiB"));
    int recipients = s.value("recipients", "1000", Values.integer(1, 100_000));
    if (recipients < MIN_RECIPIENTS) {
      s.warn(
          "recipients",
          "fewer than " + MIN_RECIPIENTS + " recipients, some senders will not split their mail",
          "RFC 5321 asks for at least " + MIN_RECIPIENTS);
    }
    Limits limits =
        new Limits(
            size,
            recipients,
            s.value("command_line_length", "2048", Values.integer(MIN_COMMAND_LINE, 65_536)),
            s.value("header_size", "1MiB", Values.size("1KiB", "1GiB")),
            s.value("hops", "100", Values.integer(1, 1000)),
            s.value("command_timeout", "5m", Values.duration("1s", "1d")),
            s.value("data_timeout", "30m", Values.duration("1s", "1d")),
            s.value("min_data_rate", "128/s", Quantities::octetsPerSecond),
            s.value("session_timeout", "1h", Values.duration("1s", "7d")),
            s.value("errors", "20", Values.integer(1, 1_000_000)),
            s.value("commands", "1000", Values.integer(1, 1_000_000)));
    if (limits.dataTimeout().compareTo(limits.sessionTimeout()) > 0) {
      s.warn(
          "data_timeout",
          "data_timeout is longer than session_timeout, slow senders are cut earlier",
          "raise session_timeout");
    }
    return limits;
  }
}
