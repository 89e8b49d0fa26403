package io.bloomgate.bench;

import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.LiveSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.stream.Stream;

/**
 * A generation of as many addresses as names: built, opened and asked, within the heap that the
 * caller gives. Arguments: {@code build} or {@code open}, the folder, entries in all. The folder is
 * opened in a new process, as after a restart.
 */
public final class SnapshotRun {

  private static final int REOPENINGS = 5;
  private static final double RATE = 0.001;
  private static final long FILTER_OCTETS = 256 << 20;
  private static final double GIGA = 1e9;
  private static final double MIB = 1 << 20;

  private final Path folder;
  private final SnapshotEntries entries;
  private final String name;

  private SnapshotRun(Path folder, int entries) {
    this.folder = folder;
    this.entries = new SnapshotEntries(entries / 2);
    this.name = "snapshot/" + Figures.size(entries) + "/";
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    SnapshotRun run = new SnapshotRun(Path.of(args[1]), Integer.parseInt(args[2]));
    switch (args[0]) {
      case "build" -> run.build();
      case "open" -> run.open();
      default -> throw new IllegalArgumentException("build or open, not " + args[0]);
    }
  }

  private void build() throws Exception {
    Figures.add(name + "heap-MiB", Runtime.getRuntime().maxMemory() / MIB);
    try (SnapshotStore store = store()) {
      LiveSnapshot live = new LiveSnapshot();
      ThreadMXBean thread = ManagementFactory.getThreadMXBean();
      long worked = thread.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      live.publish(store.build(entries.feeds(), new BuildOptions(RATE, FILTER_OCTETS, 1)));
      Figures.add(name + "build-s", seconds(start));
      Figures.add(name + "build-cpu-s", (thread.getCurrentThreadCpuTime() - worked) / 1e9);
      Figures.add(name + "build-of-it-making-entries-s", 2 * secondsToMake());
      double octets = octets();
      Figures.add(name + "disk-MiB", octets / MIB);
      start = System.nanoTime();
      store.verify(live);
      Figures.add(name + "verify-s-per-GB", seconds(start) * GIGA / octets);
      live.current()
          .manifest()
          .filters()
          .forEach((filter, shape) -> System.out.println("  " + filter + " " + shape));
    }
  }

  private void open() throws Exception {
    ListSnapshot snapshot = reopened("first-open-ms");
    for (int i = 0; i < REOPENINGS; i++) {
      snapshot = reopened("open-ms");
    }
    new SnapshotAsks(snapshot, name).run(entries.each());
  }

  /** Opens the folder and asks for a host that is listed. */
  private ListSnapshot reopened(String figure) throws Exception {
    try (SnapshotStore store = store()) {
      long start = System.nanoTime();
      ListSnapshot snapshot = store.load();
      ListAnswer answer = snapshot.ask(SnapshotEntries.host(0));
      double milliseconds = seconds(start) * 1e3;
      if (!(answer instanceof ListAnswer.Listed)) {
        throw new IllegalStateException("the first answer is wrong: " + answer);
      }
      Figures.add(name + figure, milliseconds);
      return snapshot;
    }
  }

  private SnapshotStore store() throws IOException {
    return SnapshotStore.open(
        folder,
        new SnapshotBuilder(new SecureRandom()),
        InstantSource.system(),
        System.out::println);
  }

  private double secondsToMake() {
    long start = System.nanoTime();
    long[] sum = {0};
    entries.ips(entry -> sum[0] += entry.line());
    entries.names(entry -> sum[0] += entry.line());
    if (sum[0] == 0) {
      throw new IllegalStateException("no entries");
    }
    return seconds(start);
  }

  private double octets() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(p -> p.toFile().length()).sum();
    }
  }

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
