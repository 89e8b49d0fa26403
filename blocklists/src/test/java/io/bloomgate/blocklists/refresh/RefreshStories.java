package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.fetch.FakeFeedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of refreshing share: a feed server, a state directory, a stage to play on. */
abstract class RefreshStories {

  static final Instant START = Instant.parse("2026-11-21T07:00:00Z");
  static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path stateDir;
  FakeFeedServer server;

  @BeforeEach
  final void start() throws IOException {
    server = new FakeFeedServer();
  }

  @AfterEach
  final void stop() {
    server.close();
  }

  final String url(String name, String path, String more) {
    return name + ": {url: \"" + server.uri(path) + "\", every: 1h" + more + "}";
  }

  final RefreshStage stage(String... sources) throws IOException {
    return new RefreshStage(stateDir, START, sources);
  }

  static String ips(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "203.0.113." + i + "\n")
        .collect(Collectors.joining());
  }
}
