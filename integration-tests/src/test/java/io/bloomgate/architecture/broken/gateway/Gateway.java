package io.bloomgate.architecture.broken.gateway;

import java.time.Instant;

/** Breaks nothing: bears the name of the composition root, which may read the clock. */
public final class Gateway {
  private Gateway() {}

  /** The time that is handed to all others. */
  public static Instant now() {
    return Instant.now();
  }
}
