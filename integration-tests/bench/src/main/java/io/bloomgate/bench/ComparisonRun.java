package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * One way to keep a set at one size: bits an entry, and nanoseconds of CPU for an entry built, a
 * hit, a miss and a removal; the median of several rounds. Arguments: a name of {@link
 * ComparisonSets}, and entries.
 */
public final class ComparisonRun {

  private static final int QUERIES = 1 << 18;
  private static final int ROUNDS = 15;
  private static final int REMOVED = 1 << 15;
  private static final int WARM_UP = 20_000;

  private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private ComparisonRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    String peer = args[0];
    long[] hashes = Keys.hashes(Integer.parseInt(args[1]));
    String name = "compare/" + hashes.length + "/" + peer + "/";
    for (int i = 0; i < 3; i++) {
      ComparisonSets.make(peer, Keys.hashes(WARM_UP)); // loads and compiles
    }
    time(name, peer, hashes);
    Figures.add(name + "bits", octets(peer, hashes) * (double) Byte.SIZE / hashes.length);
  }

  /** Of a set that is gone at the end, so that the heap never holds two large ones. */
  private static void time(String name, String peer, long[] hashes) throws IOException {
    long start = THREAD.getCurrentThreadCpuTime();
    ComparisonSets.Made made = ComparisonSets.make(peer, hashes);
    Figures.add(name + "build", since(start, hashes.length));
    HashPeer set = made.contains();
    check(set, hashes, peer);
    Figures.add(name + "hit", median(set::contains, hits(hashes)));
    long[] misses = Keys.hashQueries(hashes.length, Keys.Asked.MISS);
    Figures.add(name + "miss", median(set::contains, Arrays.copyOf(misses, QUERIES)));
    Figures.add(name + "rate", rate(set, misses));
    LongConsumer remove = made.remove();
    if (remove != null) {
      long[] some = Arrays.copyOf(hashes, Math.min(hashes.length / 2, REMOVED));
      start = THREAD.getCurrentThreadCpuTime();
      for (long hash : some) {
        remove.accept(hash);
      }
      Figures.add(name + "delete", since(start, some.length));
    }
  }

  /** Memory of a set, the mean of several where sets are small. */
  private static double octets(String peer, long[] hashes) {
    ComparisonSets.Made[] sets =
        new ComparisonSets.Made[peer.equals("bitmap") ? 1 : copies(hashes)];
    Arrays.setAll(sets, i -> ComparisonSets.make(peer, hashes));
    used(); // takes what earlier work left
    long with = used();
    long found = Arrays.stream(sets).filter(set -> set.contains().contains(hashes[0])).count();
    Arrays.fill(sets, null);
    return (with - used()) / (double) found;
  }

  private static int copies(long[] hashes) {
    return Math.max(1, 1_000_000 / hashes.length);
  }

  private static double since(long start, int count) {
    return (THREAD.getCurrentThreadCpuTime() - start) / (double) count;
  }

  /** Octets in use after a collection. */
  private static long used() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void check(HashPeer set, long[] hashes, String peer) {
    for (long hash : hashes) {
      if (!set.contains(hash)) {
        throw new IllegalStateException(peer + " denies a hash that was put in");
      }
    }
  }

  private static long[] hits(long[] hashes) {
    long[] hits = new long[QUERIES];
    for (int i = 0; i < QUERIES; i++) {
      hits[i] = hashes[(int) Long.remainderUnsigned(Keys.mix(~(long) i), hashes.length)];
    }
    return hits;
  }

  private static double median(LongPredicate set, long[] queries) {
    double[] nanos = new double[ROUNDS];
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long start = THREAD.getCurrentThreadCpuTime();
      for (long hash : queries) {
        found += set.test(hash) ? 1 : 0;
      }
      nanos[round] = since(start, queries.length);
    }
    if (found < 0) {
      throw new IllegalStateException("keeps the loop");
    }
    Arrays.sort(nanos);
    return nanos[ROUNDS / 2];
  }

  private static double rate(HashPeer set, long[] misses) {
    int found = 0;
    for (long hash : misses) {
      found += set.contains(hash) ? 1 : 0;
    }
    return found / (double) misses.length;
  }
}
