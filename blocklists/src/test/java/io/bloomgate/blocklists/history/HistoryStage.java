package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.BuildOptions;
import io.bloomgate.blocklists.generation.FeedInput;
import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.blocklists.generation.SnapshotStore;
import io.bloomgate.blocklists.history.PastListings.PastListing;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Settings.Feeds.History;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A state directory whose generations are written down, and what was live when, to compare. */
final class HistoryStage {

  static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  static final History BOUNDS = new History(Duration.ofDays(30), 1L << 30);

  /** What was live from a time on, by feed. */
  record Version(Instant at, long generation, Map<String, Set<ListEntry>> feeds) {
    boolean lists(String feed, ListEntry entry) {
      return feeds.getOrDefault(feed, Set.of()).contains(entry);
    }
  }

  final List<String> alarms = new ArrayList<>();
  final List<Version> versions = new ArrayList<>();
  final Path stateDir;
  final SnapshotStore store;
  FeedHistory history;
  Instant now = START;
  ListSnapshot live = ListSnapshot.EMPTY;

  HistoryStage(Path stateDir) throws IOException {
    this.stateDir = stateDir;
    this.store =
        SnapshotStore.open(
            stateDir.resolve("snapshots"),
            new SnapshotBuilder(new SplittableRandom(42)),
            (InstantSource) () -> now,
            alarms::add);
    this.history = restarted();
  }

  private FeedHistory restarted() {
    return new FeedHistory(stateDir, () -> now, alarms::add);
  }

  void restart() {
    history = restarted();
  }

  /** Makes a generation live, but does not write it down. */
  void build(Map<String, Set<ListEntry>> feeds, Map<String, Long> numbers, String inputs)
      throws Exception {
    List<FeedInput> given = new ArrayList<>();
    feeds.forEach((name, entries) ->
        given.add(
            new FeedInput(
                name,
                Long.toString(numbers.getOrDefault(name, 1L)),
                List.copyOf(entries)::forEach)));
    live = store.build(given, new BuildOptions(0.001, 1 << 20, 3, KnownGood.NONE, inputs));
    Map<String, Set<ListEntry>> copy = new LinkedHashMap<>();
    feeds.forEach((name, entries) -> copy.put(name, Set.copyOf(entries)));
    versions.add(new Version(now, live.generation(), copy));
  }

  void follow() {
    history.follow(live, BOUNDS);
  }

  Parsed<PastSnapshot> at(Instant time) {
    try {
      return PastSnapshot.open(stateDir, live, time);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  PastSnapshot known(Instant time) {
    return switch (at(time)) {
      case Parsed.Ok<PastSnapshot>(PastSnapshot past, var _) -> past;
      case Parsed.Bad<PastSnapshot>(String why) -> throw new AssertionError(why);
    };
  }

  String unknown(Instant time) {
    return switch (at(time)) {
      case Parsed.Ok<PastSnapshot> known -> throw new AssertionError("known: " + known);
      case Parsed.Bad<PastSnapshot>(String why) -> why;
    };
  }

  /** What a history answers about a key, in words. */
  static Set<String> answer(PastSnapshot past, ListKey key) {
    Set<String> words = new TreeSet<>();
    for (PastListing one : past.listings(key)) {
      words.add(words(one.feed(), one.entry(), one.since(), one.until()));
    }
    return words;
  }

  /** The same by looking at every version. */
  Set<String> expected(Instant time, ListKey key) {
    int then = versions.size() - 1;
    while (versions.get(then).at().isAfter(time)) {
      then--;
    }
    List<HistoryKey> asked = Probes.of(key).all().stream().map(Probes.Probe::key).toList();
    Set<String> words = new TreeSet<>();
    for (Map.Entry<String, Set<ListEntry>> feed : versions.get(then).feeds().entrySet()) {
      for (ListEntry entry : feed.getValue()) {
        if (asked.contains(HistoryKey.of(entry))) {
          words.add(
              words(
                  feed.getKey(),
                  entry,
                  since(then, feed.getKey(), entry),
                  until(then, feed.getKey(), entry)));
        }
      }
    }
    return words;
  }

  private @Nullable Instant since(int then, String feed, ListEntry entry) {
    int first = then;
    while (first > 0 && versions.get(first - 1).lists(feed, entry)) {
      first--;
    }
    return first == 0 ? null : versions.get(first).at();
  }

  private @Nullable Instant until(int then, String feed, ListEntry entry) {
    return versions.subList(then, versions.size()).stream()
        .filter(version -> !version.lists(feed, entry))
        .findFirst()
        .map(Version::at)
        .orElse(null);
  }

  private static String words(
      String feed, ListEntry entry, @Nullable Instant since, @Nullable Instant until) {
    String kind = entry instanceof ListEntry.Domain domain ? domain.match() + " " : "";
    return feed
        + (entry.exception() ? " !" : " ")
        + kind
        + entry.text()
        + " "
        + since
        + " "
        + until;
  }

  /** The files of the history, oldest first. */
  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(stateDir.resolve("history"))) {
      return files.sorted().toList();
    }
  }
}
