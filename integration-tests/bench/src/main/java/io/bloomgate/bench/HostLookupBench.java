package io.bloomgate.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Nanoseconds of an exact verdict on an IPv4 address, hosts and networks listed. Run by {@link
 * LookupRun}, one peer a process.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HostLookupBench {

  /** Name of the maker of the set. */
  @Param("roaring")
  public String peer = "";

  /** Listed hosts. */
  @Param("1000000")
  public int entries;

  /** What is asked, as {@link Keys.Asked} spells it. */
  @Param("miss")
  public String asked = "";

  private IntPredicate set = bits -> false;
  private @Nullable Path folder;
  private int[] queries = {};
  private int position;

  /** Builds the set. */
  @Setup
  public void build() throws IOException {
    folder = Scratch.folder();
    set = HostPeers.build(peer, folder, entries);
    queries = Keys.hostQueries(entries, Keys.Asked.valueOf(asked.toUpperCase(Locale.ROOT)));
    System.gc();
  }

  /** Removes the index. */
  @TearDown
  public void remove() throws IOException {
    if (folder != null) {
      Scratch.remove(folder);
    }
  }

  /** Independent verdicts. */
  @Benchmark
  @OperationsPerInvocation(HashLookupBench.BATCH)
  public int verdict() {
    int found = 0;
    int from = position;
    position = (from + HashLookupBench.BATCH) & (Keys.QUERIES - 1);
    IntPredicate asks = set;
    int[] hosts = queries;
    for (int i = from; i < from + HashLookupBench.BATCH; i++) {
      if (asks.test(hosts[i])) {
        found++;
      }
    }
    return found;
  }
}
