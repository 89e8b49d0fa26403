package io.bloomgate.blocklists.snapshot;

import io.bloomgate.config.settings.Settings;

/**
 * What the settings say about a build; read anew at every build, so that a reload is followed.
 *
 * @param falsePositiveRate asked of each filter, a ratio
 * @param maxMemoryOctets bound for all filters of one generation together
 * @param keepGenerations how many generations stay on disk, the live one included, at least 1
 */
public record BuildOptions(double falsePositiveRate, long maxMemoryOctets, int keepGenerations) {

  public BuildOptions {
    if (!(falsePositiveRate > 0 && falsePositiveRate < 1)) {
      throw new IllegalArgumentException("false-positive rate must lie between 0 and 1");
    }
    if (maxMemoryOctets < 1 || keepGenerations < 1) {
      throw new IllegalArgumentException("memory bound and kept generations must be positive");
    }
  }

  /** The options that these settings stand for. */
  public static BuildOptions of(Settings settings) {
    return new BuildOptions(
        settings.filter().falsePositiveRate(),
        settings.filter().maxMemoryOctets(),
        settings.feeds().keepGenerations());
  }
}
