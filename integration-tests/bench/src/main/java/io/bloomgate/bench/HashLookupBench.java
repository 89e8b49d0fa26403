package io.bloomgate.bench;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Nanoseconds of a lookup of a hash; lookups do not wait for each other. Run by {@link LookupRun},
 * one peer a process.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class HashLookupBench {

  /** Lookups in one call, so that the call itself costs nothing. */
  static final int BATCH = 1 << 14;

  /** Name of the maker of the set. */
  @Param("guava")
  public String peer = "";

  /** Listed hashes. */
  @Param("1000000")
  public int entries;

  /** What is asked, as {@link Keys.Asked} spells it. */
  @Param("miss")
  public String asked = "";

  private HashPeer set = hash -> false;
  private long[] queries = {};
  private int position;

  /** Builds the set. */
  @Setup
  public void build() {
    set = HashPeers.build(peer, Keys.hashes(entries), LookupRun.RATE);
    queries = Keys.hashQueries(entries, Keys.Asked.valueOf(asked.toUpperCase(Locale.ROOT)));
    System.gc();
  }

  /** Independent lookups. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int lookup() {
    int found = 0;
    int from = position;
    position = (from + BATCH) & (Keys.QUERIES - 1);
    HashPeer asks = set;
    long[] hashes = queries;
    for (int i = from; i < from + BATCH; i++) {
      if (asks.contains(hashes[i])) {
        found++;
      }
    }
    return found;
  }
}
