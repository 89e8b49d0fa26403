package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.config.settings.FleetKeyFiles;
import io.bloomgate.config.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A leader and a follower over one folder, with a clock that stands still. */
final class PublishedStage implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  static final Duration EVERY = Duration.ofSeconds(30);
  private static final Settings.Feeds.Source SOURCE =
      Objects.requireNonNull(
          RefreshStage.settings("hosts: {file: /nowhere/hosts.txt, format: lines, every: 1h}")
              .feeds()
              .sources()
              .get("hosts"));

  final Path folder;
  final Path published;
  final List<String> alarms = new ArrayList<>();
  final Map<String, FeedContent> stored = new HashMap<>();
  private final FeedSources sources = new FeedSources(Runnable::run, () -> 0, () -> NOW);
  long nanos;
  private long number;
  private int fetched;
  long term;
  Instant clock = NOW;
  Instant checked = NOW;
  @Nullable Acceptance accepted;

  PublishedStage(Path folder) throws IOException {
    this.folder = folder;
    this.published = folder.resolve("published");
    key("key");
  }

  void key(String name) throws IOException {
    FleetKeys.Made made = FleetKeys.make();
    Path file = folder.resolve(name);
    Files.writeString(file, made.privateKey());
    Files.setPosixFilePermissions(
        file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
    Files.writeString(folder.resolve(name + ".pub"), made.publicKey());
  }

  private Path state(String node) throws IOException {
    Path state = folder.resolve(node);
    if (!Files.exists(state)) {
      DurableFiles.createPrivateDirectory(state);
      DurableFiles.createPrivateDirectory(state.resolve(Fleet.WORK));
    }
    return state;
  }

  /** A leader that starts. */
  Publisher leader(String node, String key) throws IOException {
    Path state = state(node);
    return new Publisher(
        published,
        FleetKeyFiles.privateKey(folder.resolve(key)),
        state.resolve(Fleet.WORK),
        Counter.open(state.resolve("counter")));
  }

  Publisher leader() throws IOException {
    return leader("leader", "key");
  }

  /** Publishes a new version of the one feed, each string a file of it. */
  void publish(Publisher leader, String... parts) throws IOException {
    number++;
    leader.publish(List.of(live(parts)), term, "mx1", clock, EVERY);
  }

  /** The same version as before, once more. */
  void publishAgain(Publisher leader, String... parts) throws IOException {
    leader.publish(List.of(live(parts)), term, "mx1", clock, EVERY);
  }

  private LiveVersion live(String... parts) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String part : parts) {
      files.add(Files.writeString(folder.resolve("v" + number + "-" + files.size()), part));
    }
    FeedContent content = new FeedContent(files);
    return new LiveVersion("hosts", number, 1, NOW, checked, accepted, () -> Optional.of(content));
  }

  /** A follower that starts. */
  Follower follower() throws IOException {
    Path state = state("follower");
    return new Follower(
        sources.files(published.toString()),
        FleetKeyFiles.publicKey(folder.resolve("key.pub")),
        EVERY,
        state,
        Counter.open(state.resolve("counter")),
        () -> nanos,
        alarms::add);
  }

  /** Takes the feed as the refresher does; what came counts as stored from then on. */
  FetchResult fetch(Follower follower, String mark) throws IOException {
    FleetManifest manifest = follower.manifest().orElseThrow();
    Path directory = Files.createDirectory(folder.resolve("fetched" + fetched++));
    FetchResult result =
        new PublishedFeedSource(
                SOURCE,
                manifest.feed("hosts").orElseThrow(),
                manifest,
                follower.origin(),
                sha256 -> Optional.ofNullable(stored.get(sha256)),
                FetchMeter.NONE,
                follower::fetched)
            .fetch(Validators.ofFiles(mark), directory);
    if (result instanceof FetchResult.Fetched taken) {
      stored.put(taken.content().sha256(), taken.content());
    }
    return result;
  }

  /** The text of all parts; the message when there is none. */
  String text(Follower follower) throws IOException {
    return switch (fetch(follower, "")) {
      case FetchResult.Fetched taken -> {
        StringBuilder text = new StringBuilder();
        for (Path part : taken.content().parts()) {
          text.append(text.isEmpty() ? "" : "|").append(Files.readString(part));
        }
        yield text.toString();
      }
      case FetchResult.Failed failed -> failed.message();
      case FetchResult.NotModified ignored -> "not modified";
    };
  }

  List<Path> published(String kind) throws IOException {
    try (var all = Files.list(published.resolve(kind))) {
      return all.toList();
    }
  }

  @Override
  public void close() {
    sources.close();
  }
}
