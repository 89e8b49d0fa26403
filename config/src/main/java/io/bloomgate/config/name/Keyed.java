package io.bloomgate.config.name;

import java.util.Locale;

/**
 * A constant of an enum that settings, JSON, logs, metrics and commands write as its name in lower
 * case. All modules may call; any thread.
 */
public interface Keyed {
  /** The name as Java spells it. */
  String name();

  /** The name as everything that users read and write spells it. */
  default String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
