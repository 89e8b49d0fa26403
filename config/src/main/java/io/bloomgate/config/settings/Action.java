package io.bloomgate.config.settings;

/** What a feed's listing asks for, weakest first, so that {@code compareTo} orders by strength. */
public enum Action {
  /**
   * Counts against rules: a list of good senders. Never refuses, and lifts no list's own action.
   */
  TRUST,
  /** Logged and counted only. */
  OBSERVE,
  /** Relayed with headers that say so. */
  TAG,
  /** Refused with 451 until the sender comes again (section {@code greylist}). */
  GREYLIST,
  /** Refused for now with 451. */
  TEMPFAIL,
  /** Refused with 554. */
  REJECT
}
