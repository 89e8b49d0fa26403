package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.FeedStates;
import io.bloomgate.blocklists.fetch.FeedSources;
import io.bloomgate.blocklists.fetch.Validators;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshProgress;
import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.blocklists.score.FetchedOctets;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The traces of a fetch: its steps, its server, its octets, and no key. */
class FetchStoryTest extends RefreshStories {

  private static final String KEY = "S3CRETKEY";

  @TempDir Path etc;

  private Path key() throws IOException {
    Path file = etc.resolve("key");
    Files.writeString(file, KEY);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    return file;
  }

  @Test
  void aMirrorThatServesIsNamedUntilThePublisherIsBack() throws Exception {
    server.status("/a", 500, Map.of());
    server.serve("/m", ips(0, 10));
    String mirrors = ", mirrors: [\"" + server.uri("/m") + "\"]";
    try (RefreshStage s = stage(url("x", "/a", mirrors))) {
      s.loop.tick();
      assertEquals("fresh", s.state("x"));
      assertEquals(server.uri("/m").toString(), shown(s).servedBy());
      assertEquals(server.uri("/a").toString(), shown(s).source());
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals("unchanged", s.state("x"), "the mirror knows its own marks");
      server.serve("/a", ips(0, 10));
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals("unchanged", s.state("x"), "the same list from elsewhere is no new one");
      assertEquals(server.uri("/a").toString(), shown(s).servedBy());
    }
  }

  @Test
  void aListOfWhichMuchIsNotReadHasANote() throws Exception {
    server.serve("/a", ips(0, 9) + "192.0.2.2 spammer\n192.0.2.3 spammer\n");
    try (RefreshStage s = stage(url("x", "/a", ", format: ips"))) {
      s.loop.tick();
      assertEquals(
          "2 lines of it are no entries; `bloomgate feeds test` with its file or address shows"
              + " them",
          s.problem("x"));
      assertEquals(FeedStatus.Health.NOTE, shown(s).status().health());
    }
  }

  /** What a check that found nothing new cost is next to nothing. */
  @Test
  void whatCameIsCounted() throws Exception {
    server.serve("/a", ips(0, 10));
    try (RefreshStage s = stage(url("x", "/a", ""))) {
      s.loop.tick();
      long first = ips(0, 10).length();
      assertEquals(first, fetched());
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals("unchanged", s.state("x"));
      assertEquals(first, fetched());
      server.serve("/a", ips(0, 11));
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals(first + ips(0, 11).length(), fetched());
    }
  }

  private long fetched() throws IOException {
    return new FetchedOctets(FeedStates.read(stateDir)).since("x", Instant.EPOCH).orElse(0L);
  }

  private static FeedStatus.Details shown(RefreshStage s) {
    return s.show("x");
  }

  @Test
  void aKeyIsInNoReportAndInNoStoredFile() throws Exception {
    server.serve("/" + KEY + "/list", ips(0, 10));
    String source =
        "x: {url: \""
            + server.uri("/")
            + "{secret}/list?k={secret}\", secret_file: "
            + key()
            + ", headers: {Auth-Key: \"file:"
            + key()
            + "\"}, every: 1h}";
    try (RefreshStage s = stage(source)) {
      s.loop.tick();
      assertEquals("fresh", s.state("x"));
      assertEquals(List.of("/" + KEY + "/list?k=" + KEY), server.targets());
      String fresh = shown(s).toString();
      server.status("/" + KEY + "/list", 302, Map.of("Location", "http://127.0.0.1/" + KEY));
      s.pass(HOUR.multipliedBy(2));
      RefreshResult refused = s.force("x");
      String all = fresh + shown(s) + refused + s.loop.list() + s.settings + s.alarms;
      s.assertProblem("x", "would show the key");
      assertFalse(all.contains(KEY), all);
    }
    try (Stream<Path> files = Files.walk(stateDir)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String octets = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertFalse(octets.contains(KEY), file::toString);
      }
    }
  }

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
