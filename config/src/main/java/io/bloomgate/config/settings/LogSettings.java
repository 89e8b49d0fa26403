package io.bloomgate.config.settings;

import io.bloomgate.config.name.Keyed;
import java.nio.file.Path;

/**
 * The section {@code log}: the decision log. Immutable; made by {@link LogBinder}, read by the
 * gateway.
 *
 * @param tag syslog's name of the program before a line of format postfix in a file, without its
 *     process id; in the journal the service manager adds one
 * @param connections whether each connection has a line at its end, and its id is in its lines
 */
public record LogSettings(
    Format format, Target target, String tag, Privacy privacy, Connections connections) {

  /** Says whether the ends of connections are written. */
  public enum Connections {
    OFF,
    ON
  }

  /** Shape of a line. */
  public enum Format {
    POSTFIX,
    KV,
    JSON
  }

  /** The place to which lines go. */
  public sealed interface Target {
    /** Standard output. */
    record Stdout() implements Target {}

    /** A file that is opened again at each reload. */
    record File(Path path) implements Target {}
  }

  /** Says how much of an address is written. */
  public enum Privacy implements Keyed {
    FULL,
    NO_LOCALPART,
    NO_ADDRESSES
  }
}
