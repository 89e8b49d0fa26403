package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.MembershipFilter;
import java.util.concurrent.TimeUnit;
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

/**
 * The keys of one message asked together, beside one key alone. A gateway goes on only when it has
 * the answer, so each ask here waits for the one before: its keys depend on that answer. Run by
 * {@link LookupRun}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class BatchBench {

  /** Keys of a message. */
  private static final int KEYS = 8;

  private static final int ASKS = HashLookupBench.BATCH / KEYS;

  /** Listed hashes. */
  @Param("1000000")
  public int entries;

  private @Nullable MembershipFilter filter;
  private long[] queries = {};
  private int position;

  /** Builds the filter. */
  @Setup
  public void build() {
    filter = HashPeers.ours(HashPeers.kind("split-block"), Keys.hashes(entries), LookupRun.RATE);
    queries = Keys.hashQueries(entries, Keys.Asked.MISS);
    System.gc();
  }

  /** Time of one key. */
  @Benchmark
  @OperationsPerInvocation(HashLookupBench.BATCH)
  public int lone() {
    MembershipFilter asks = filter;
    if (asks == null) {
      return 0;
    }
    int last = 0;
    int from = position;
    position = (from + HashLookupBench.BATCH) & (Keys.QUERIES - 1);
    for (int i = from; i < from + HashLookupBench.BATCH; i++) {
      last = asks.probe(queries[i] + last);
    }
    return last;
  }

  /** Time of {@link #KEYS} keys. */
  @Benchmark
  @OperationsPerInvocation(ASKS)
  public long together() {
    MembershipFilter asks = filter;
    if (asks == null) {
      return 0;
    }
    long last = 0;
    int from = position;
    position = (from + HashLookupBench.BATCH) & (Keys.QUERIES - 1);
    long[] message = new long[KEYS];
    for (int i = from; i < from + HashLookupBench.BATCH; i += KEYS) {
      for (int key = 0; key < KEYS; key++) {
        message[key] = queries[i + key] + last;
      }
      last = asks.probeAll(message, KEYS);
    }
    return last;
  }
}
