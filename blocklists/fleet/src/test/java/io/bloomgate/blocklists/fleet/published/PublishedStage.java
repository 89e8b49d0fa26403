package io.bloomgate.blocklists.fleet.published;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.FeedSources.FetchMeter;
import io.bloomgate.blocklists.fetch.FetchResult;
import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.refresh.FeedReports.LiveVersion;
import io.bloomgate.config.settings.FleetKeyFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Leaders that publish into one folder, and followers that read it by way of a web server or as it
 * is, with a clock that stands still.
 */
final class PublishedStage implements AutoCloseable {

  static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  static final Duration EVERY = Duration.ofSeconds(30);
  private static final Duration STALE_AFTER = Duration.ofDays(3);

  final Path folder;
  final Path published;
  final ServedFolder web;
  final List<String> alarms = new ArrayList<>();
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final FeedSources sources = new FeedSources(executor, System::nanoTime, () -> NOW);
  long nanos;
  private long number;
  private int fetched;
  long term;
  Instant clock = NOW;
  Instant checked = NOW;
  @Nullable Acceptance accepted;
  Optional<Path> held = Optional.empty();

  PublishedStage(Path folder) throws IOException {
    this.folder = folder;
    this.published = folder.resolve("published");
    this.web = new ServedFolder(published);
    key("key");
  }

  void key(String name) throws IOException {
    FleetKeys.Made made = FleetKeys.make();
    Path file = folder.resolve(name);
    Files.writeString(file, made.privateKey());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
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
  Publisher leader(String key) throws IOException {
    return new Publisher(published, FleetKeyFiles.privateKey(folder.resolve(key)));
  }

  Publisher leader() throws IOException {
    return leader("key");
  }

  /** Publishes a new version of the one feed, each string a file of it. */
  void publish(Publisher leader, String... parts) throws IOException {
    number++;
    publishAgain(leader, parts);
  }

  /** The same version as before, once more. */
  void publishAgain(Publisher leader, String... parts) throws IOException {
    List<Path> files = new ArrayList<>();
    for (String part : parts) {
      files.add(Files.writeString(folder.resolve("v" + number + "-" + files.size()), part));
    }
    publish(leader, new FeedContent(files));
  }

  /** Publishes these octets as the version of now. */
  void publish(Publisher leader, FeedContent content) throws IOException {
    leader.publish(
        List.of(
            new LiveVersion("hosts", number, checked, accepted, () -> Optional.of(content), held)),
        term,
        "mx1",
        clock,
        EVERY);
  }

  /** A follower that starts, by way of the web server. */
  Follower follower() throws IOException {
    return follower(web.address());
  }

  /** The same over the folder itself. */
  Follower followerOfFolder() throws IOException {
    return follower(published.toString());
  }

  private Follower follower(String origin) throws IOException {
    Path state = state("follower");
    return new Follower(
        origin,
        sources,
        FleetKeyFiles.publicKey(folder.resolve("key.pub")),
        EVERY,
        state,
        () -> nanos,
        alarms::add);
  }

  static String mark(Follower follower) {
    return follower.sums().orElseThrow().feed("hosts").orElseThrow().mark();
  }

  /** Takes the feed as the refresher does. */
  FetchResult fetch(Follower follower, String mark) throws IOException {
    Path directory = Files.createDirectory(folder.resolve("fetched" + fetched++));
    return follower
        .feed("hosts", STALE_AFTER, FetchMeter.NONE)
        .orElseThrow()
        .fetch(Validators.ofFiles(mark), directory);
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
      case FetchResult.NotModified _ -> "not modified";
    };
  }

  /** The files of lists in the folder. */
  List<Path> lists() throws IOException {
    try (var all = Files.list(published)) {
      return all.filter(file -> file.toString().endsWith(".gz"))
          .filter(Files::isRegularFile)
          .toList();
    }
  }

  Path sums() {
    return published.resolve(ListSums.NAME);
  }

  @Override
  public void close() {
    web.close();
    sources.close();
    executor.close();
  }
}
