package io.bloomgate.blocklists.workbench.dedup;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The plan for remembering lines. Immutable.
 *
 * @param entries different lines in a window that are remembered; the memory follows from it
 * @param rate ratio of new lines that are taken for repeats when the memory is full
 * @param window how long a line is remembered after it was last seen; zero for as long as there is
 *     room
 * @param repeated true to pass on the repeats and not the new lines
 */
public record DedupPlan(long entries, double rate, Duration window, boolean repeated) {

  /** Different lines of a day's log of a large mail server; 35 MiB at the usual rate. */
  public static final long USUAL_ENTRIES = 10_000_000;

  public static final double USUAL_RATE = 0.001;

  private static final long MOST_ENTRIES = 1_000_000_000;

  /**
   * Takes the memory.
   *
   * @throws OfflineException when there is not enough of it, or such a plan is impossible
   */
  public Dedup start(WorkbenchTools tools) throws OfflineException {
    return start(tools, Optional.empty());
  }

  /** The same with what an earlier run remembered. */
  public Dedup start(WorkbenchTools tools, Optional<DedupState> state) throws OfflineException {
    if (entries < 1 || entries > MOST_ENTRIES) {
      throw new OfflineException(Kind.USAGE, "--entries is between 1 and " + MOST_ENTRIES, "");
    }
    SeenRing.Size size = SeenRing.Size.of(entries, rate);
    if (size.isTooLarge()) {
      throw new OfflineException(
          Kind.USAGE,
          entries + " lines at rate " + rate + " need more than 2 GiB",
          "ask for fewer lines or a higher rate");
    }
    if (!tools.canHold(size.octets())) {
      throw tools.tooLarge("memory of " + entries + " lines");
    }
    long period = window.isZero() ? 0 : SeenRing.period(window.toNanos());
    RandomGenerator random = tools.randomness().get();
    LongSupplier now = state.map(DedupState::now).orElse(tools.nanoTime());
    SeenRing ring = new SeenRing(size, period, now.getAsLong());
    Keying keying = new Keying(KeyHash.VERSION, 0, random.nextLong(), random.nextLong());
    if (state.isPresent()) {
      keying = state.get().load(ring, keying);
    }
    return new Dedup(ring, keying, this, now, state);
  }
}
