package io.bloomgate.blocklists.snapshot;

import java.util.random.RandomGenerator;

/**
 * Makes the files of one generation from feeds. Called by {@link SnapshotStore} on the
 * feed-refresher thread.
 */
public final class SnapshotBuilder {

  private final RandomGenerator random;

  /**
   * @param random source of the secret 128-bit seed that each build draws anew; production passes a
   *     {@link java.security.SecureRandom}
   */
  public SnapshotBuilder(RandomGenerator random) {
    this.random = random;
  }

  RandomGenerator random() {
    return random;
  }
}
