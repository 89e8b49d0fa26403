package io.bloomgate.bench;

import com.sun.management.OperatingSystemMXBean;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Fills a split-block filter at 1 % from a stream of generated hashes, with one thread, and of
 * sorted ones with two, writes it, and asks the file where it lies. The caller bounds the heap:
 * filter and 2 octets a key. Arguments: keys, a folder, and {@code sorted} or {@code unsorted}.
 */
public final class BillionRun {

  private static final double RATE = 0.01;
  private static final int PROBES = 10_000_000;
  private static final int MAPPED = 100_000;

  private final long keys;
  private final boolean sorted;

  private BillionRun(long keys, boolean sorted) {
    this.keys = keys;
    this.sorted = sorted;
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    BillionRun run = new BillionRun(Long.parseLong(args[0]), args[2].equals("sorted"));
    String name = "billion/" + args[0] + "/" + args[2] + "/";
    Figures.add(name + "heap-MiB", Runtime.getRuntime().maxMemory() / (double) (1 << 20));
    int threads = run.sorted ? 2 : 1;
    new BillionRun(2_000_000, run.sorted).build(threads); // compiles
    SplitBlockFilter filter = run.timed(name, 1);
    if (run.sorted) {
      filter = run.timed(name, threads);
    }
    run.check(name, filter);
    Path file = Path.of(args[1]).resolve("billion.filter");
    try {
      FilterFile.write(file, filter, new Keying(1, 1, 0, 0));
      run.ask(name, file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Key number {@code i}: all over, or in order, at random within its share of all hashes. */
  private long hash(long i) {
    if (!sorted) {
      return Keys.mix(i);
    }
    long share = Long.divideUnsigned(-1, keys);
    return i * share + Long.remainderUnsigned(Keys.mix(i), share);
  }

  private SplitBlockFilter timed(String name, int threads) throws Exception {
    System.gc();
    long start = System.nanoTime();
    long worked = cpu();
    SplitBlockFilter filter = build(threads);
    Figures.add(name + threads + "-threads/ns", (System.nanoTime() - start) / (double) keys);
    Figures.add(name + threads + "-threads/cpu-ns", (cpu() - worked) / (double) keys);
    Figures.add(name + "octets", filter.shape().bits() / (double) Byte.SIZE);
    return filter;
  }

  /** CPU of the whole process, in nanoseconds. */
  private static long cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Only sorted hashes are put in by several threads. */
  private SplitBlockFilter build(int threads) throws FilterBuildException {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(keys, RATE));
    builder.addAll(
        IntStream.range(0, threads)
            .<HashSource>mapToObj(t ->
                sink ->
                    LongStream.range(keys * t / threads, keys * (t + 1) / threads)
                        .map(this::hash)
                        .forEach(sink))
            .toList());
    return builder.build(keys);
  }

  private void check(String name, SplitBlockFilter filter) throws IOException {
    long missing = 0;
    long hits = 0;
    for (int i = 0; i < PROBES; i++) {
      missing += 1 - filter.probe(hash(Long.remainderUnsigned(Keys.mix(~(long) i), keys)));
      hits += filter.probe(Keys.mix(1L << 40 | i));
    }
    Figures.add(name + "false-negatives", (double) missing);
    Figures.add(name + "rate", hits / (double) PROBES);
    if (missing > 0) {
      throw new IllegalStateException(missing + " keys that were put in are denied");
    }
  }

  private void ask(String name, Path path) throws IOException {
    long start = System.nanoTime();
    LongPredicate mapped = FilterKinds.mapped(PagedFile.open(path));
    boolean first = mapped.test(hash(0));
    Figures.add(name + "mapped/open-ms", (System.nanoTime() - start) / 1e6);
    if (!first) {
      throw new IllegalStateException("the file denies a key");
    }
    start = System.nanoTime();
    for (long i = 0; i < MAPPED; i++) {
      if (!mapped.test(hash(Long.remainderUnsigned(Keys.mix(~i), keys)))) {
        throw new IllegalStateException("the file denies a key");
      }
    }
    Figures.add(name + "mapped/us", (System.nanoTime() - start) / 1e3 / MAPPED);
  }
}
