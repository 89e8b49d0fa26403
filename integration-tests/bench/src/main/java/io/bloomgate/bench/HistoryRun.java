package io.bloomgate.bench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.history.FeedHistory;
import io.bloomgate.blocklists.history.PastSnapshot;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The history of a list that rolls over: octets on disk, time to write a delta down, and time to
 * answer with the lists of the first day. Argument: deltas.
 */
public final class HistoryRun {

  private static final int ENTRIES = 36_000;
  private static final int CHANGED = 750;
  private static final History BOUNDS = new History(Duration.ofDays(40), 1L << 30);

  private final Path folder;
  private final int deltas;
  private final SplittableRandom random = new SplittableRandom(20261123);
  private Instant now = Instant.parse("2026-10-20T00:00:00Z");

  private HistoryRun(Path folder, int deltas) {
    this.folder = folder;
    this.deltas = deltas;
  }

  /** Entry point. */
  public static void main(String[] args) throws Exception {
    Path folder = Scratch.folder();
    try {
      new HistoryRun(folder, Integer.parseInt(args[0])).run();
    } finally {
      Scratch.remove(folder);
    }
  }

  private ListEntry fresh() {
    return new ListEntry.Network(IpPrefix.host(IpAddress.ofV4(random.nextInt())), false, 1);
  }

  private void run() throws Exception {
    FeedHistory history = new FeedHistory(folder, () -> now, HistoryRun::complain);
    ArrayDeque<ListEntry> list = new ArrayDeque<>();
    ListSnapshot live = ListSnapshot.EMPTY;
    List<Long> times = new ArrayList<>();
    ListKey early = IpAddress.ofV4(0);
    try (SnapshotStore store =
        SnapshotStore.open(
            folder.resolve("snapshots"),
            new SnapshotBuilder(random),
            () -> now,
            HistoryRun::complain)) {
      for (int version = 1; version <= deltas + 1; version++) {
        while (list.size() > (version == 1 ? 0 : ENTRIES - CHANGED)) {
          list.removeFirst();
        }
        while (list.size() < ENTRIES) {
          list.addLast(fresh());
        }
        early = version == 1 ? IpAddress.ofV4(random.nextInt()) : early;
        List<ListEntry> entries = List.copyOf(list);
        live =
            store.build(
                List.of(new FeedInput("rolling", Integer.toString(version), entries::forEach)),
                new BuildOptions(0.001, 1 << 28, 3, KnownGood.NONE, ""));
        long began = System.nanoTime();
        history.follow(live, BOUNDS);
        times.add(System.nanoTime() - began);
        if (version == 2) {
          early = ((ListEntry.Network) list.getLast()).prefix().network();
        }
        now = now.plus(Duration.ofMinutes(15));
      }
    }
    say("octets on disk, MB", octets() / 1e6);
    say("one delta written, ms, median", median(times));
    asks("explain --at, first day, ms", live, Duration.ofMinutes(15L * deltas - 60), early);
    asks("explain --at, yesterday, ms", live, Duration.ofDays(1), early);
    asks(
        "explain --at, IPv6, first day, ms",
        live,
        Duration.ofMinutes(15L * deltas - 60),
        new IpAddress(0x2001_0db8_0000_0000L, 1));
  }

  /** Opens the history each time, as a command does. */
  private void asks(String what, ListSnapshot live, Duration ago, ListKey key) throws IOException {
    List<Long> times = new ArrayList<>();
    boolean listed = false;
    for (int i = 0; i < 15; i++) {
      long began = System.nanoTime();
      Parsed<PastSnapshot> past = PastSnapshot.open(folder, live, now.minus(ago));
      listed = past.toOptional().orElseThrow().ask(key) instanceof ListAnswer.Listed;
      times.add(System.nanoTime() - began);
    }
    say(what + " (cold)", times.getFirst() / 1e6);
    say(what + (listed ? ", listed then" : ", not listed then"), median(times));
  }

  private long octets() throws IOException {
    long sum = 0;
    try (Stream<Path> files = Files.list(folder.resolve("history"))) {
      for (Path file : files.toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  private static double median(List<Long> nanos) {
    return nanos.stream().sorted().toList().get(nanos.size() / 2) / 1e6;
  }

  private static void complain(String line) {
    System.err.println(line);
  }

  private static void say(String what, double value) {
    System.out.printf(Locale.ROOT, "%-50s %10.2f%n", what, value);
  }
}
