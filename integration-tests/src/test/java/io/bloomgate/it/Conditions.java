package io.bloomgate.it;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waiting for what another thread or process brings about. */
final class Conditions {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Conditions() {}

  /** Something that may hold by now. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Returns as soon as it holds; fails when it does not within half a minute. */
  static void await(String what, Condition condition) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain: " + what);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }
}
