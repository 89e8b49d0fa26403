package io.bloomgate.blocklists.fetch;

import io.bloomgate.config.settings.Fetching;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Fetches a feed as the lines of a settings file say, in a {@link FetchWorld}. */
final class FetchStage implements AutoCloseable {

  /** What the clock of the client says. */
  static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final FeedSources sources;
  private final Path folder;
  private int fetches;

  FetchStage(FetchWorld world, Path folder, Duration limit) {
    this.folder = folder;
    this.sources =
        new FeedSources(
            executor,
            System::nanoTime,
            () -> NOW,
            limit,
            new WebClient(world.means()),
            Fetching.by(null).withInsecure(true));
  }

  FetchStage(FetchWorld world, Path folder) {
    this(world, folder, Duration.ofSeconds(20));
  }

  /**
   * @param lines of the source {@code x}, without indentation
   */
  static Settings.Feeds.Source source(String... lines) {
    StringBuilder yaml =
        new StringBuilder(
            "domains: [own.example]\ndownstream: {host: 192.0.2.25}\nfeeds:\n  sources:\n    x:\n");
    for (String line : lines) {
      yaml.append("      ").append(line).append('\n');
    }
    return switch (SettingsFile.parse("/etc/f", yaml.toString(), Map.of(), () -> "mx.example")) {
      case SettingsResult.Loaded loaded ->
          Objects.requireNonNull(loaded.settings().feeds().sources().get("x"));
      case SettingsResult.Invalid invalid -> throw new AssertionError(invalid.problems());
    };
  }

  FetchResult fetch(Validators known, String... lines) throws IOException {
    fetches++;
    Path directory = Files.createDirectory(folder.resolve("fetch-" + fetches));
    return sources.of(source(lines)).fetch(known, directory);
  }

  /** The same of an address on the command line, whose redirects to plain http are followed. */
  FetchResult named(String address) throws IOException {
    fetches++;
    Path directory = Files.createDirectory(folder.resolve("fetch-" + fetches));
    return sources.named(address).fetch(Validators.NONE, directory);
  }

  /** What the fetch before left on disk. */
  long filesLeft() throws IOException {
    try (var files = Files.list(folder.resolve("fetch-" + fetches))) {
      return files.count();
    }
  }

  @Override
  public void close() {
    sources.close();
    executor.shutdownNow();
  }
}
