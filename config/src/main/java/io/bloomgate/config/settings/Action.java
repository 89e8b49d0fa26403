package io.bloomgate.config.settings;

import io.bloomgate.config.name.Keyed;

/**
 * The action that a listing of a feed asks for, weakest first, so that {@code compareTo} orders by
 * strength.
 */
public enum Action implements Keyed {
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
  REJECT;

  /** True when it keeps mail from being accepted, for good or for now. */
  public boolean refuses() {
    return compareTo(TAG) > 0;
  }

  /** The weaker one of both. */
  public Action atMost(Action other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
