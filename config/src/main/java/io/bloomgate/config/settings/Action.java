package io.bloomgate.config.settings;

/** What a feed's listing asks for, weakest first, so that {@code compareTo} orders by strength. */
public enum Action {
  /** Logged and counted only. */
  OBSERVE,
  /** Relayed with headers that say so. */
  TAG,
  /** Refused for now with 451. */
  TEMPFAIL,
  /** Refused with 554. */
  REJECT
}
