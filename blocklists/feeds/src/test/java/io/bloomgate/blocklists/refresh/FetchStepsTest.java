package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/**
 * The progress of a download: the connection counts octets, and some times a second a step is
 * reported.
 */
class FetchStepsTest extends RefreshStories {

  @Test
  void stepsAreReportedSomeTimesASecondAndAtTheEnd() {
    Instant[] now = {START};
    List<RefreshProgress> reported = new ArrayList<>();
    RunningFetches.FetchSteps steps =
        new RunningFetches.FetchSteps("bad", () -> now[0], reported::add);
    for (int i = 1; i <= 1000; i++) {
      steps.taken(i, 1000);
      now[0] = now[0].plus(Duration.ofMillis(1));
    }
    assertEquals(5, reported.size(), reported::toString);
    assertEquals(new RefreshProgress("", "bad", "fetching", 1000, 1000), reported.getLast());
    assertTrue(reported.stream().allMatch(step -> step.text().isEmpty()), "no line for each");
    steps.taken(7, -1);
    assertEquals(5, reported.size(), "too soon");
    now[0] = now[0].plusSeconds(1);
    steps.taken(8, -1);
    assertEquals(-1, reported.getLast().total());
  }

  @Test
  void aDownloadIsMeasuredAsItComes() throws Exception {
    String list = ips(0, 200).repeat(100);
    server.serve("/list", list);
    Source source =
        Objects.requireNonNull(
            RefreshStage.settings(url("bad", "/list", "")).feeds().sources().get("bad"));
    List<Long> seen = new ArrayList<>();
    List<Long> totals = new ArrayList<>();
    Path directory = Files.createDirectory(stateDir.resolve("incoming"));
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
        FeedSources sources = new FeedSources(executor, System::nanoTime, () -> START)) {
      sources
          .of(
              source,
              (octets, total) -> {
                seen.add(octets);
                totals.add(total);
              })
          .fetch(Validators.NONE, directory);
    }
    long size = list.getBytes(UTF_8).length;
    assertEquals(size, seen.getLast());
    assertEquals(seen.stream().sorted().toList(), seen);
    assertTrue(totals.stream().allMatch(t -> t == size || t == -1), totals::toString);
  }
}
