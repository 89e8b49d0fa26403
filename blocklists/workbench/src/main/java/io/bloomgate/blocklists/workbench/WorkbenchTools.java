package io.bloomgate.blocklists.workbench;

import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The tools and bounds that work on filters takes from outside. Made by the command line's
 * composition root.
 *
 * @param randomness for seeds of filters, which must be secret, and of measurements; asked for only
 *     where it is needed, because making it takes time
 * @param nanoTime monotonic time in nanoseconds
 * @param memoryOctets what this program may use
 * @param probes random hashes that a filter is asked to measure its rate of false positives
 */
public record WorkbenchTools(
    Supplier<RandomGenerator> randomness, LongSupplier nanoTime, long memoryOctets, int probes) {

  /** A rate of 0.001 then shows with an error of some 3 %. */
  private static final int PROBES = 1_000_000;

  /** Distinct keys that a build takes, however much memory there is. */
  public static final long MOST_BUILT = 1_000_000_000;

  /** Octets for a hash while it is collected, and for its share of the filter that is built. */
  private static final long OCTETS_PER_ENTRY = 24;

  /** The rest is for everything else. */
  private static final double SHARE_OF_A_FILTER = 0.7;

  private static final long MIB = 1 << 20;

  /** Takes the usual number of probes. */
  public WorkbenchTools(
      Supplier<RandomGenerator> randomness, LongSupplier nanoTime, long memoryOctets) {
    this(randomness, nanoTime, memoryOctets, PROBES);
  }

  /** The time since a moment of {@link #nanoTime}, in thousandths of a second. */
  double secondsSince(long start) {
    return Math.round((nanoTime.getAsLong() - start) / 1e6) / 1e3;
  }

  /** Distinct hashes that may be held in memory. */
  long mostHeld() {
    return memoryOctets / OCTETS_PER_ENTRY;
  }

  /** The folder of temporary files that belong to no file of the user. */
  Path folder() {
    return Path.of(System.getProperty("java.io.tmpdir", "/tmp"));
  }

  /** True when files of this size together can be held at once. */
  public boolean canHold(long octets) {
    return octets <= SHARE_OF_A_FILTER * memoryOctets;
  }

  /** The error when the memory is too small for this. */
  public OfflineException tooLarge(String what) {
    return OfflineException.failed(
        what + " needs more than the " + memoryOctets / MIB + " MiB of this program",
        "give it more: BLOOMGATE_CLI_JAVA_OPTS=-Xmx4g");
  }
}
