package io.bloomgate.bench;

import io.bloomgate.config.name.DomainName;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
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
 * Nanoseconds from the octets of a name to the answer, hash included. Run by {@link LookupRun}, one
 * peer a process.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NameLookupBench {

  private static final int BATCH = 1 << 14;

  /** Our filter, asked with names as a session holds them. */
  @State(Scope.Thread)
  public static class Ours {

    /** Listed names. */
    @Param("1000000")
    public int entries;

    /** What is asked, as {@link Keys.Asked} spells it. */
    @Param("miss")
    public String asked = "";

    private NamePeers.Ours set = NamePeers.Ours.build(0, LookupRun.RATE);
    private DomainName[] queries = {};
    private int position;

    /** Builds the set. */
    @Setup
    public void build() {
      set = NamePeers.Ours.build(entries, LookupRun.RATE);
      byte[][] octets =
          Keys.nameQueries(entries, Keys.Asked.valueOf(asked.toUpperCase(Locale.ROOT)));
      queries = new DomainName[octets.length];
      for (int i = 0; i < octets.length; i++) {
        queries[i] = NamePeers.parse(octets[i]);
      }
      System.gc();
    }
  }

  /** A peer, asked with octets. */
  @State(Scope.Thread)
  public static class Theirs {

    /** Name of the maker of the set. */
    @Param("guava")
    public String peer = "";

    /** Listed names. */
    @Param("1000000")
    public int entries;

    /** What is asked, as {@link Keys.Asked} spells it. */
    @Param("miss")
    public String asked = "";

    private Predicate<byte[]> set = octets -> false;
    private byte[][] queries = {};
    private int position;

    /** Builds the set. */
    @Setup
    public void build() {
      set = NamePeers.build(peer, entries, LookupRun.RATE);
      queries = Keys.nameQueries(entries, Keys.Asked.valueOf(asked.toUpperCase(Locale.ROOT)));
      System.gc();
    }
  }

  /** Asks ours. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int ours(Ours state) {
    int found = 0;
    int from = state.position;
    state.position = (from + BATCH) & (Keys.NAME_QUERIES - 1);
    NamePeers.Ours set = state.set;
    DomainName[] names = state.queries;
    for (int i = from; i < from + BATCH; i++) {
      if (set.probe(names[i]) != 0) {
        found++;
      }
    }
    return found;
  }

  /** Asks a peer. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int theirs(Theirs state) {
    int found = 0;
    int from = state.position;
    state.position = (from + BATCH) & (Keys.NAME_QUERIES - 1);
    Predicate<byte[]> set = state.set;
    byte[][] names = state.queries;
    for (int i = from; i < from + BATCH; i++) {
      if (set.test(names[i])) {
        found++;
      }
    }
    return found;
  }
}
