package io.bloomgate.blocklists.generation;

import io.bloomgate.config.settings.Settings;

/**
 * The settings of a build; read again at every build, so that a reload takes effect.
 *
 * @param falsePositiveRate asked of each filter, a ratio
 * @param maxMemoryOctets bound for all filters of one generation together
 * @param keepGenerations how many generations stay on disk, the live one included, at least 1
 * @param knownGood senders whose listings are looked for
 * @param inputs digest for {@link SnapshotManifest#inputs}
 */
public record BuildOptions(
    double falsePositiveRate,
    long maxMemoryOctets,
    int keepGenerations,
    KnownGood knownGood,
    String inputs) {

  public BuildOptions {
    if (!(falsePositiveRate > 0 && falsePositiveRate < 1)) {
      throw new IllegalArgumentException("false-positive rate must lie between 0 and 1");
    }
    if (maxMemoryOctets < 1 || keepGenerations < 1) {
      throw new IllegalArgumentException("memory bound and kept generations must be positive");
    }
  }

  /** Options without a known-good set. */
  public BuildOptions(double falsePositiveRate, long maxMemoryOctets, int keepGenerations) {
    this(falsePositiveRate, maxMemoryOctets, keepGenerations, KnownGood.NONE, "");
  }

  /** The options of these settings. */
  public static BuildOptions of(Settings settings, KnownGood knownGood, String inputs) {
    return new BuildOptions(
        settings.filter().falsePositiveRate(),
        settings.filter().maxMemoryOctets(),
        settings.feeds().keepGenerations(),
        knownGood,
        inputs);
  }
}
