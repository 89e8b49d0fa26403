package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Two sets in one process, asked in turns: the CPU of a lookup in each, and the median of their
 * ratios, which other work on the machine hardly disturbs. Run by {@code pairs.sh}. Arguments: two
 * names of {@link HashPeers}, entries, and rounds.
 */
public final class PairRun {

  private static final int LOOKUPS = 1 << 16;
  private static final int WARM_UP = 40;

  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private PairRun() {}

  /** Asks one set; each set gets a copy of the class, so that the compiler sees one set in it. */
  interface Asker {

    /** How many of the queries from a place on hit. */
    int ask(HashPeer set, long[] queries, int from);
  }

  /** The loop. */
  static final class Loop implements Asker {

    Loop() {}

    @Override
    public int ask(HashPeer set, long[] queries, int from) {
      int found = 0;
      for (int i = from; i < from + LOOKUPS; i++) {
        if (set.contains(queries[i])) {
          found++;
        }
      }
      return found;
    }
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    int entries = Integer.parseInt(args[2]);
    int rounds = Integer.parseInt(args[3]);
    long[] hashes = Keys.hashes(entries);
    HashPeer[] sets = new HashPeer[2];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = HashPeers.build(args[i], hashes, LookupRun.RATE);
    }
    for (Keys.Asked asked : Keys.Asked.values()) {
      long[] queries = Keys.hashQueries(entries, asked);
      measure(args, sets, queries, asked, rounds);
    }
  }

  private static void measure(
      String[] names, HashPeer[] sets, long[] queries, Keys.Asked asked, int rounds)
      throws Exception {
    Asker[] askers = {copy(), copy()};
    double[][] nanos = new double[2][rounds];
    double[] ratios = new double[rounds];
    int found = 0;
    for (int round = -WARM_UP; round < rounds; round++) {
      int from = Math.floorMod(round, queries.length / LOOKUPS) * LOOKUPS;
      for (int i = 0; i < sets.length; i++) {
        long start = THREAD.getCurrentThreadCpuTime();
        found += askers[i].ask(sets[i], queries, from);
        nanos[i][Math.max(round, 0)] =
            (THREAD.getCurrentThreadCpuTime() - start) / (double) LOOKUPS;
      }
      ratios[Math.max(round, 0)] = nanos[0][Math.max(round, 0)] / nanos[1][Math.max(round, 0)];
    }
    if (found < 0) {
      throw new IllegalStateException("keeps the loops");
    }
    String figure =
        "pair/%d/%s/%s-to-%s"
            .formatted(Integer.parseInt(names[2]), asked.name(), names[0], names[1]);
    Figures.add(figure + "/first-ns", median(nanos[0]));
    Figures.add(figure + "/second-ns", median(nanos[1]));
    Figures.add(figure + "/ratio", median(ratios));
  }

  private static Asker copy() throws IOException, ReflectiveOperationException {
    try (InputStream code = PairRun.class.getResourceAsStream("PairRun$Loop.class")) {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      return (Asker)
          lookup
              .defineHiddenClass(code.readAllBytes(), true)
              .lookupClass()
              .getDeclaredConstructor()
              .newInstance();
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
