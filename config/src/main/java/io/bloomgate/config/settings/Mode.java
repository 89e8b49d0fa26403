package io.bloomgate.config.settings;

import io.bloomgate.config.name.Keyed;

/** Says whether a verdict takes effect: {@code mode} in the settings, or {@code bloomgate mode}. */
public enum Mode implements Keyed {
  /** List verdicts are logged and counted; mail passes. */
  OBSERVE,
  /** Every 5xx of our own is spoken as 4xx, so that a mistake loses no mail. */
  SOFT,
  /** Verdicts are spoken. */
  ENFORCE
}
