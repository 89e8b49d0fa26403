package io.bloomgate.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * Builds one set of hashes: nanoseconds a key, octets allocated a key, bits kept a key, false
 * positives and, above all, false negatives. The caller bounds the heap, which proves the scratch
 * memory where the count of allocations only bounds it. Arguments: name of the maker, entries,
 * repetitions.
 */
public final class BuildRun {

  private static final int MISSES = 4_000_000;
  private static final int WARM_UP = 10_000;

  private final String peer;
  private final long[] hashes;
  private final ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What the last build left; a field, so that it is certain when it can be collected. */
  private HashPeer built = hash -> true;

  private BuildRun(String peer, int entries) {
    this.peer = peer;
    this.hashes = Keys.hashes(entries);
  }

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    BuildRun run = new BuildRun(args[0], Integer.parseInt(args[1]));
    String name = "build/" + Figures.size(run.hashes.length) + "/" + args[0] + "/";
    Figures.add(name + "heap-MiB", Runtime.getRuntime().maxMemory() / (double) (1 << 20));
    HashPeers.build(args[0], Keys.hashes(WARM_UP), LookupRun.RATE); // loads the classes
    try {
      for (int i = 0; i < Integer.parseInt(args[2]); i++) {
        run.build(name);
      }
      Figures.add(name + "fits-heap", 1);
    } catch (OutOfMemoryError e) {
      Figures.add(name + "fits-heap", 0);
      return;
    }
    run.check(name);
  }

  private void build(String name) throws IOException {
    built = hash -> true;
    long before = used();
    long allocated = thread.getCurrentThreadAllocatedBytes();
    long worked = thread.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    built = HashPeers.build(peer, hashes, LookupRun.RATE);
    long nanos = System.nanoTime() - start;
    worked = thread.getCurrentThreadCpuTime() - worked;
    allocated = thread.getCurrentThreadAllocatedBytes() - allocated;
    long kept = used() - before + built.octetsOffHeap();
    Figures.add(name + "ns", nanos / (double) hashes.length);
    Figures.add(name + "cpu-ns", worked / (double) hashes.length);
    Figures.add(name + "scratch", (allocated - kept) / (double) hashes.length);
    Figures.add(name + "bits", kept * (double) Byte.SIZE / hashes.length);
  }

  /** Octets in use after a collection. */
  private static long used() {
    System.gc();
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private void check(String name) throws IOException {
    for (long hash : hashes) {
      if (!built.contains(hash)) {
        throw new IllegalStateException(peer + " denies a hash that was put in");
      }
    }
    int falsePositives = 0;
    for (int i = 0; i < MISSES; i++) {
      falsePositives += built.contains(Keys.mix(Keys.FIRST_ABSENT + i)) ? 1 : 0;
    }
    Figures.add(name + "rate", falsePositives / (double) MISSES);
  }
}
