package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FakeFeedServer;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code feeds test} says. */
class FeedTestTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir private Path folder;
  @TempDir private Path temporary;
  private List<ProtectedSet> protectedSets = List.of();

  private FeedTest.Outcome run(
      String source, @Nullable String format, @Nullable Match match, String... queries)
      throws IOException {
    ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    try (FeedSources sources = new FeedSources(executor, System::nanoTime, () -> NOW)) {
      FeedTest test =
          new FeedTest(sources, FeedTest.DEFAULT_GUARD, false, protectedSets, temporary, () -> NOW);
      return test.run(
          new FeedTest.Request(source, format, match, Set.of(), List.of(queries), null));
    } finally {
      executor.shutdownNow();
      try (Stream<Path> left = Files.list(temporary)) {
        assertEquals(0, left.count(), "nothing is left behind");
      }
    }
  }

  /** Lists of throw-away domains name them, and thousands of strangers have names below them. */
  @Test
  void aZoneOfFreeSubdomainsIsListedAlone() throws IOException {
    String list = "mooo.com\nspam.example\n*.us.to\n!uk.to\n";
    String[] asked = {"mooo.com", "stranger.mooo.com", "x.spam.example", "us.to", "a.us.to"};
    assertEquals(List.of(true, true, true, true, true), listed(list, asked));
    protectedSets =
        ProtectedSet.of(EnumSet.of(NeverBlock.PUBLIC_SUFFIXES), List.of(), List.of(), List.of());
    assertEquals(List.of(true, false, true, true, false), listed(list, asked));
  }

  private List<Boolean> listed(String list, String... asked) throws IOException {
    Path file = Files.writeString(folder.resolve("list"), list);
    FeedTest.Outcome outcome = run(file.toString(), "domains", Match.SUFFIX, asked);
    return assertInstanceOf(FeedTest.Outcome.Tested.class, outcome).report().queries().stream()
        .map(FeedReport.Answer::listed)
        .toList();
  }

  @Test
  void aUrlIsTestedLikeAFile() throws IOException {
    try (FakeFeedServer server = new FakeFeedServer()) {
      server.serve("/list", "192.0.2.1\n");
      var tested =
          assertInstanceOf(
              FeedTest.Outcome.Tested.class,
              run(server.uri("/list?key=SECRET").toString(), null, null, "192.0.2.1"));
      assertEquals(server.uri("/list") + "?...", tested.report().source());
      assertTrue(tested.report().queries().getFirst().listed());
    }
  }
}
