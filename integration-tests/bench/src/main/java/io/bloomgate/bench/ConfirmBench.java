package io.bloomgate.bench;

import io.bloomgate.blocklists.index.Coverage;
import io.bloomgate.blocklists.index.NameIndex;
import io.bloomgate.config.name.DomainName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The exact confirm of a name that a filter has hit: single calls are timed, so the reading of the
 * clock, some 20 ns, is part of the figure. Run by {@link LookupRun}.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class ConfirmBench {

  /** Listed names. */
  @Param("1000000")
  public int entries;

  /** What is asked, as {@link Keys.Asked} spells it. */
  @Param("hit")
  public String asked = "";

  private @Nullable NameIndex index;
  private @Nullable Path folder;
  private DomainName[] queries = {};
  private @Nullable DomainName name;
  private int position;

  /** Given a use, so that the octets are read. */
  public int touched;

  /** Writes and opens the index. */
  @Setup
  public void build() throws IOException {
    folder = Scratch.folder();
    index = Indexes.names(folder, entries);
    byte[][] octets = Keys.nameQueries(entries, Keys.Asked.valueOf(asked.toUpperCase(Locale.ROOT)));
    queries = new DomainName[octets.length];
    for (int i = 0; i < octets.length; i++) {
      queries[i] = NamePeers.parse(octets[i]);
    }
    System.gc();
  }

  /** The next name, its octets in the cache as in a session that has just parsed it. */
  @Setup(Level.Invocation)
  public void parsed() {
    position = (position + 1) & (Keys.NAME_QUERIES - 1);
    name = queries[position];
    for (int i = 0; i < name.length(); i++) {
      touched += name.octetAt(i);
    }
  }

  /** Removes the index. */
  @TearDown
  public void remove() throws IOException {
    if (folder != null) {
      Scratch.remove(folder);
    }
  }

  /** One confirm with all its listings. */
  @Benchmark
  public @Nullable Coverage confirm() {
    return index == null || name == null ? null : index.covering(name);
  }
}
