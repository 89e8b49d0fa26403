package io.bloomgate.config.settings;

import java.nio.file.Path;

/**
 * The section {@code log}: the decision log. Immutable; made by {@link LogBinder}, read by the
 * gateway.
 *
 * @param tag syslog's name of the program before a line of format postfix in a file, without its
 *     process id; in the journal the service manager adds one
 */
public record LogSettings(Format format, Target target, String tag, Privacy privacy) {

  /** Shape of a line. */
  public enum Format {
    POSTFIX,
    KV,
    JSON
  }

  /** Where lines go. */
  public sealed interface Target {
    /** Standard output. */
    record Stdout() implements Target {}

    /** A file that is opened again at each reload. */
    record File(Path path) implements Target {}
  }

  /** How much of an address is written down. */
  public enum Privacy {
    FULL,
    NO_LOCALPART,
    NO_ADDRESSES
  }
}
