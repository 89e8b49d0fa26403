package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.notation.Shown;

/**
 * One thing that is wrong, or doubtful, in a settings file or the environment. Immutable; safe to
 * show on a terminal.
 *
 * @param file name of the file, or of the environment variable
 * @param line counted from 1; 0 when the place has no lines
 * @param column counted from 1; 0 when the place has no lines
 * @param hint how to fix it; empty when the message says it
 */
public record Problem(
    Severity severity, String file, int line, int column, String message, String hint) {

  /** Says whether the problem stops the settings from being used. */
  public enum Severity implements Keyed {
    ERROR,
    WARNING
  }

  /** {@code FILE:LINE:COL: message; hint}, with {@code warning: } in front of the message. */
  @Override
  public String toString() {
    return Shown.bare(file)
        + (line > 0 ? ":" + line + ":" + column : "")
        + (severity == Severity.WARNING ? ": warning: " : ": ")
        + message
        + (hint.isEmpty() ? "" : "; " + hint);
  }
}
