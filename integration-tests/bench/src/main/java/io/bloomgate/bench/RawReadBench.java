package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterSizing;
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
 * What the machine allows: one random word read out of an array of the size of the filter, at the
 * line where a lookup of the same hash would read. Run by {@link LookupRun}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class RawReadBench {

  private static final int WORDS_PER_LINE = 8;

  /** Keys of the filter that the array is as large as. */
  @Param("1000000")
  public int entries;

  private long[] words = {};
  private long lines;
  private long[] queries = {};
  private int position;

  /** Makes the array; its words are random, since the dependent read follows them. */
  @Setup
  public void fill() throws FilterBuildException {
    long octets = FilterSizing.splitBlock(entries, LookupRun.RATE).octets();
    words = new long[Math.toIntExact(octets / Long.BYTES)];
    for (int i = 0; i < words.length; i++) {
      words[i] = Keys.mix(-i);
    }
    lines = words.length / WORDS_PER_LINE;
    queries = Keys.hashQueries(entries, Keys.Asked.MISS);
    System.gc();
  }

  /** The processor overlaps the reads. */
  @Benchmark
  @OperationsPerInvocation(HashLookupBench.BATCH)
  public long independent() {
    long sum = 0;
    int from = position;
    position = (from + HashLookupBench.BATCH) & (Keys.QUERIES - 1);
    long[] read = words;
    long[] hashes = queries;
    for (int i = from; i < from + HashLookupBench.BATCH; i++) {
      sum += read[word(hashes[i])];
    }
    return sum;
  }

  /** Each read waits for the one before. */
  @Benchmark
  @OperationsPerInvocation(HashLookupBench.BATCH)
  public long dependent() {
    long last = 0;
    int from = position;
    position = (from + HashLookupBench.BATCH) & (Keys.QUERIES - 1);
    long[] read = words;
    long[] hashes = queries;
    for (int i = from; i < from + HashLookupBench.BATCH; i++) {
      last = read[word(hashes[i] ^ last)];
    }
    return last;
  }

  private int word(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash, lines) * WORDS_PER_LINE;
  }
}
