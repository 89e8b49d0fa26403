package io.bloomgate.gateway.decision;

import java.time.Instant;

/** Decides; a pure function. */
public final class DecisionEngine {

  private DecisionEngine() {}

  /**
   * The verdict of mode enforce on these facts.
   *
   * @param now time of the decision, for expiry and age
   */
  public static Verdict decide(Facts facts, Lists lists, Policy policy, Instant now) {
    throw new UnsupportedOperationException();
  }
}
