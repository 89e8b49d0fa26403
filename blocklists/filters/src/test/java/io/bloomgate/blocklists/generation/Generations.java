package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.entry.ListEntry.NameMatch;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A store of generations with fixed time and randomness, for the tests of this package. */
final class Generations {

  static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  static final BuildOptions OPTIONS = new BuildOptions(0.001, 1 << 20, 3);

  final List<String> alarms = new ArrayList<>();
  final Path directory;
  Instant now = START;

  Generations(Path directory) {
    this.directory = directory;
  }

  SnapshotStore open() throws IOException {
    return SnapshotStore.open(
        directory,
        new SnapshotBuilder(new SplittableRandom(42)),
        (InstantSource) () -> now,
        alarms::add);
  }

  static FeedInput feed(String name, List<ListEntry> entries) {
    return new FeedInput(name, "v1", entries::forEach);
  }

  static List<FeedInput> feeds(Map<String, List<ListEntry>> feeds) {
    return feeds.entrySet().stream().map(e -> feed(e.getKey(), e.getValue())).toList();
  }

  static ListEntry network(String text, int line) {
    return new ListEntry.Network(IpPrefix.parse(text).toOptional().orElseThrow(), false, line);
  }

  static ListEntry except(String text, int line) {
    return new ListEntry.Network(IpPrefix.parse(text).toOptional().orElseThrow(), true, line);
  }

  static ListEntry domain(String text, NameMatch match, int line) {
    return new ListEntry.Domain(name(text), match, false, line);
  }

  static DomainName name(String text) {
    return DomainName.parse(text).toOptional().orElseThrow();
  }

  static ListKey ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  /** {@code feed line text} of the listings; {@code -} for a false positive or nothing. */
  static List<String> listings(ListAnswer answer) {
    return switch (answer) {
      case ListAnswer.NotListed ignored -> List.of("-");
      case ListAnswer.FalsePositive ignored -> List.of("-");
      case ListAnswer.OutOfReach ignored -> List.of("-");
      case ListAnswer.Listed listed ->
          listed.listings().stream()
              .map(l -> l.feed() + " " + l.entry().line() + " " + l.entry().text())
              .toList();
    };
  }
}
