package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.RefreshResult;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Publishers.Publisher;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What publishers want is kept: by the schedule, by commands, and between their files. */
class PublisherIntervalsTest extends RefreshStories {

  private static Publishers publisher(Duration least, Duration gap) {
    return new Publishers(
        List.of(new Publisher("They", List.of("127.0.0.1"), least, Map.of(), gap, "so")));
  }

  private RefreshStage paced(String... sources) throws Exception {
    RefreshStage s = stage(sources);
    s.publishers = publisher(Duration.ofHours(1), Duration.ZERO);
    return s;
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 503})
  void aShorterIntervalIsNotKeptNorAfterAFailure(int status) throws Exception {
    server.status("/list", status, Map.of());
    try (RefreshStage s = paced("bad: {url: \"" + server.uri("/list") + "\", every: 10m}")) {
      s.loop.tick();
      s.tickAfter(Duration.ofMinutes(59));
      assertEquals(1, server.requests().size(), "asked before the hour was over");
      s.tickAfter(Duration.ofMinutes(8));
      assertEquals(2, server.requests().size());
    }
  }

  /** No publisher has seen anything of it. */
  @Test
  void aNameThatCannotBeLookedUpIsNoVisitAndIsTriedAgainInSeconds() throws Exception {
    String feed = "bad: {url: \"https://feed.invalid/list\", every: 1h}";
    Publishers hourly =
        new Publishers(
            List.of(
                new Publisher(
                    "They",
                    List.of("feed.invalid"),
                    Duration.ofHours(1),
                    Map.of(),
                    Duration.ZERO,
                    "so")));
    try (RefreshStage s = stage(feed)) {
      s.publishers = hourly;
      s.loop.tick();
      s.assertProblem("bad", "no such host");
      assertTrue(waits(s, Duration.ofSeconds(10), Duration.ofSeconds(11)), next(s));
      RefreshResult asked = s.refresh(List.of("bad"), false, false);
      assertFalse(asked.message().contains("They wants"), asked.message());
      assertTrue(waits(s, Duration.ofSeconds(20), Duration.ofSeconds(22)), next(s));
      for (int i = 0; i < 8; i++) {
        s.tickAfter(Duration.ofMinutes(6));
      }
      assertTrue(waits(s, Duration.ofMinutes(5), Duration.ofSeconds(330)), next(s));
    }
    try (RefreshStage s = new RefreshStage(stateDir, START.plus(HOUR), feed)) {
      s.publishers = hourly;
      RefreshResult asked = s.refresh(List.of("bad"), false, false);
      assertFalse(asked.message().contains("They wants"), "a restart: " + asked.message());
    }
  }

  private static String next(RefreshStage s) {
    return s.now + " " + s.line("bad");
  }

  private static boolean waits(RefreshStage s, Duration least, Duration most) {
    Instant due = Objects.requireNonNull(s.line("bad").next());
    return !due.isBefore(s.now.plus(least)) && !due.isAfter(s.now.plus(most));
  }

  /** The mirror was reached, and its publisher counts the visit. */
  @Test
  void aMirrorThatAnsweredWasVisited() throws Exception {
    server.status("/list", 503, Map.of());
    String feed =
        "bad: {url: \"https://feed.invalid/list\", every: 1h, mirrors: [\""
            + server.uri("/list")
            + "\"]}";
    try (RefreshStage s = paced(feed)) {
      s.loop.tick();
      s.tickAfter(Duration.ofMinutes(59));
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void aCommandHearsTheNextAllowedTimeAndForceSkipsIt() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = paced(url("bad", "/list", ""))) {
      s.loop.tick();
      s.pass(Duration.ofMinutes(12));
      RefreshResult refused = s.refresh(List.of("bad"), false, false);
      assertEquals(1, server.requests().size());
      assertEquals(0, refused.exitCode(), "what is live is current");
      assertEquals(
          "bad is not fetched: They wants 60 min between two downloads, so not before "
              + START.plus(Duration.ofHours(1))
              + "; --force skips that",
          refused.message());
      RefreshResult forced = s.force("bad");
      assertEquals(2, server.requests().size());
      assertEquals("", forced.message());
    }
  }

  @Test
  void aRestartForgetsNothing() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = paced(url("bad", "/list", ""))) {
      s.loop.tick();
    }
    try (RefreshStage s = paced(url("bad", "/list", ""))) {
      s.pass(Duration.ofMinutes(30));
      s.refresh(List.of("bad"), false, false);
      assertEquals(1, server.requests().size());
    }
  }

  /** One file is one download, whatever the feeds are called that name it. */
  @Test
  void twoFeedsOfOneFileShareItsHour() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = paced(url("one", "/list", ""))) {
      s.loop.tick();
      s.settings = RefreshStage.settings(url("one", "/list", ""), url("two", "/list", ""));
      s.loop.tick();
      assertEquals(1, server.requests().size());
      assertEquals("waiting for the first fetch", s.problem("two"));
      s.tickAfter(Duration.ofMinutes(61));
      assertEquals("fresh", s.state("two"));
    }
  }

  @Test
  void anotherAddressIsNotHeldBackByATypingError() throws Exception {
    server.serve("/right", ips(0, 10));
    try (RefreshStage s = paced(url("bad", "/wrong", ""))) {
      s.loop.tick();
      assertEquals("failed", s.state("bad"));
      s.settings = RefreshStage.settings(url("bad", "/right", ""));
      assertEquals(0, s.refresh(List.of("bad"), false, false).exitCode());
    }
  }

  /** Nobody has to ask for it, and it does not matter what the former server wanted. */
  @Test
  void anotherAddressIsFetchedAtOnce() throws Exception {
    server.serve("/daily", ips(0, 10));
    server.serve("/right", ips(0, 11));
    String daily = "bad: {url: \"" + server.uri("/daily") + "\", every: 1d}";
    String right = "bad: {url: \"" + server.uri("/right") + "\", every: 1d}";
    try (RefreshStage s = stage(daily)) {
      s.loop.tick();
      server.status("/daily", 503, Map.of("Retry-After", "86400"));
      s.force("bad");
      s.change(right);
      assertEquals(List.of("/daily", "/daily", "/right"), server.targets());
      s.loop.tick();
      assertEquals(3, server.requests().size(), "once");
    }
    try (RefreshStage s = new RefreshStage(stateDir, START.plus(HOUR), daily)) {
      s.loop.tick();
      assertEquals("/daily", server.targets().getLast(), "the same after a restart");
      assertEquals(4, server.requests().size());
    }
  }

  @Test
  void aShorterIntervalCountsAtOnce() throws Exception {
    server.serve("/list", ips(0, 10));
    try (RefreshStage s = stage("bad: {url: \"" + server.uri("/list") + "\", every: 1d}")) {
      s.loop.tick();
      s.settings = RefreshStage.settings(url("bad", "/list", ""));
      s.loop.settingsChanged();
      s.tickAfter(Duration.ofMinutes(59));
      assertEquals(1, server.requests().size(), "the shorter one is kept");
      s.tickAfter(Duration.ofMinutes(8));
      assertEquals(2, server.requests().size());
    }
  }

  @Test
  void filesOfOnePublisherAreFetchedApart() throws Exception {
    Map<FeedUrl, Instant> asked = new HashMap<>();
    try (RefreshStage s =
        stage(url("a", "/a", ""), url("b", "/b", ""), "c: {url: \"http://[::1]:9/c\"}")) {
      s.publishers = publisher(Duration.ofHours(1), Duration.ofSeconds(5));
      PublisherIntervals intervals =
          new PublisherIntervals(s.parts, address -> Optional.ofNullable(asked.get(address)));
      List<Source> sources = List.copyOf(s.settings.feeds().sources().values());
      assertEquals(Duration.ZERO, intervals.begin(sources.get(0)));
      assertEquals(Duration.ofSeconds(5), intervals.begin(sources.get(1)));
      assertEquals(Duration.ZERO, intervals.begin(sources.get(2)), "another server");
      s.pass(Duration.ofSeconds(7));
      assertEquals(Duration.ofSeconds(3), intervals.begin(sources.get(0)));
      s.pass(Duration.ofSeconds(53));
      assertEquals(Duration.ZERO, intervals.begin(sources.get(1)));
      sources.get(1).location().addresses().forEach(url -> asked.put(url, s.now));
      assertTrue(intervals.wait(sources.get(1)).isPresent());
      assertEquals(Optional.empty(), intervals.wait(sources.get(2)));
      s.pass(Duration.ofSeconds(60));
      assertEquals(Duration.ZERO, intervals.begin(sources.get(0)));
    }
  }

  /** The wait is real: the second request is made no sooner than the gap after the first. */
  @Test
  void theSecondRequestWaits() throws Exception {
    server.serve("/a", ips(0, 10));
    server.serve("/b", ips(20, 30));
    Duration gap = Duration.ofMillis(120);
    try (RefreshStage s = stage(url("a", "/a", ""), url("b", "/b", ""))) {
      s.publishers = publisher(Duration.ofHours(1), gap);
      long begin = System.nanoTime();
      assertEquals(0, s.refresh(List.of(), true, false).exitCode());
      assertFalse(System.nanoTime() - begin < gap.toNanos(), "both were fetched at once");
      assertTrue(s.listsIp("203.0.113.25"));
    }
  }

  @Test
  void mirrorsAndChecksumsArePacedToo() throws Exception {
    Map<String, Duration> daily = Map.of("/daily", Duration.ofDays(1));
    try (RefreshStage s =
        stage(
            "a: {url: \"https://x.example/a\", every: 15m,"
                + " mirrors: [\"https://they.example/daily?x\"]}",
            "b: {url: \"https://x.example/b\", every: 15m,"
                + " checksum_url: \"https://they.example/sums\"}",
            "c: {url: \"https://x.example/c\", every: 15m}")) {
      s.publishers =
          new Publishers(
              List.of(
                  new Publisher(
                      "They", List.of("they.example"), HOUR, daily, Duration.ofSeconds(5), "so")));
      PublisherIntervals intervals = new PublisherIntervals(s.parts, address -> Optional.of(START));
      List<Source> sources = List.copyOf(s.settings.feeds().sources().values());
      assertEquals(Duration.ofDays(1), intervals.interval(sources.get(0)));
      assertEquals(HOUR, intervals.interval(sources.get(1)));
      assertEquals(Duration.ofMinutes(15), intervals.interval(sources.get(2)));
      assertEquals(Duration.ZERO, intervals.begin(sources.get(0)));
      assertEquals(Duration.ofSeconds(5), intervals.begin(sources.get(1)));
      s.pass(HOUR.multipliedBy(2));
      PublisherIntervals.Wait wait = intervals.wait(sources.get(0)).orElseThrow();
      assertEquals(START.plus(Duration.ofDays(1)), wait.until());
      assertEquals("They wants 1440 min between two downloads", wait.why());
      assertEquals(Optional.empty(), intervals.wait(sources.get(1)));
    }
  }
}
