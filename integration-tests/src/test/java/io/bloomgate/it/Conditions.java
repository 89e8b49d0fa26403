package io.bloomgate.it;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting for what another thread or process brings about. */
final class Conditions {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long SHORTEST_PAUSE = 2_000_000;
  private static final long LONGEST_PAUSE = 50_000_000;

  private Conditions() {}

  /** Something that may hold by now. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /**
   * Returns soon after it holds; fails when it does not within two minutes. The longer it waited
   * the less often it looks, because a look may ask a gateway for a page.
   */
  static void await(String what, Condition condition) throws IOException {
    long start = System.nanoTime();
    while (!condition.holds()) {
      long waited = System.nanoTime() - start;
      if (waited > PATIENCE.toNanos()) {
        throw new AssertionError("waited in vain: " + what);
      }
      LockSupport.parkNanos(Math.clamp(waited / 10, SHORTEST_PAUSE, LONGEST_PAUSE));
    }
  }
}
