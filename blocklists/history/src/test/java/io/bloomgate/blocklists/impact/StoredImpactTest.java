package io.bloomgate.blocklists.impact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.sessions.DayWriter;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.KeptSessions;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Copy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The impact on kept sessions, of which most are only counted, against that on the same sessions as
 * wholes, each of them decided on.
 */
class StoredImpactTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");
  private static final int SESSIONS = 800;

  /** Names that rows cannot hold as they are, or that are no plain names. */
  private static final List<String> HELOS =
      List.of(
          "[203.0.1.7]",
          "[IPv6:2001:db8::1]",
          "*",
          "localhost",
          "",
          "a\u0000b.example",
          "_.d1.example");

  private static final List<@Nullable String> SENDERS =
      Arrays.asList(
          "*@d3.example",
          "*",
          "",
          null,
          "l1+tag@d4.example",
          "L2@D5.Example",
          "x@[203.0.1.9]",
          "\"a b\"@d6.example",
          "a b@d7.example",
          "prvs=1234567890=l3@d8.example");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"addresses", "names", "mail addresses", "all"})
  void whatIsOnlyCountedWouldBeDecidedTheSame(String kind) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PastSessions stored = stored(random);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      if (kind.equals("addresses") || kind.equals("all")) {
        lines.add("203.0." + random.nextInt(8) + "." + random.nextInt(40));
      }
      if (kind.equals("names") || kind.equals("all")) {
        lines.add("d" + random.nextInt(30) + ".example");
        lines.add("helo" + random.nextInt(100) + ".example");
      }
      if (kind.equals("mail addresses") || kind.equals("all")) {
        lines.add("l" + random.nextInt(20) + "@d" + random.nextInt(30) + ".example");
      }
    }
    Side before = Built.side(folder, Map.of("live", List.of("203.0.2.0/24")), Map.of());
    Path file = Built.write(folder, "tried", lines);
    try (CandidateLists candidates =
        Built.candidates(folder, List.of(Built.candidate(file, Action.REJECT)))) {
      Change change = Change.adding(before, candidates);
      List<PastSession> sessions = new ArrayList<>();
      stored.forEach(sessions::add);
      assertEquals(
          Impact.of(change, sessions::forEach, Built.NOW).toJson(),
          Impact.of(change, stored, Built.NOW).toJson(),
          "seed " + seed);
      ImpactReport report = Impact.of(change, stored, Built.NOW);
      assertTrue(report.hits().sessions() > 0, "seed " + seed);
    }
  }

  private PastSessions stored(Random random) throws Exception {
    SessionDays days = new SessionDays(folder.resolve("state" + random.nextInt()));
    Files.createDirectories(days.directory());
    KeptSessions some = new KeptSessions(random.nextLong());
    try (DayWriter writer = DayWriter.open(days.day(DAY, 1).file(), DAY)) {
      for (int i = 0; i < SESSIONS; i++) {
        writer.add(odd(some.next(BEGIN.plusSeconds(i)), random), null);
      }
      writer.commit();
    }
    SessionSearch search =
        new SessionSearch(
            days,
            problem -> {
              throw new AssertionError(problem);
            });
    return search.past(SessionQuery.of(BEGIN, BEGIN.plus(Duration.ofDays(1))));
  }

  /** A link or the From field decided, be it that only the list of another client did so. */
  private static Evidence.Decision ofContent(Evidence plain, Random random) {
    Evidence.Decision past = plain.decision();
    boolean url = random.nextBoolean();
    String host = "d" + random.nextInt(30) + ".example";
    Evidence.Listing listing =
        new Evidence.Listing(
            url ? Check.URL_HOST : Check.FROM,
            url ? host : random.nextInt(3) == 0 ? "*" : "l1@" + host,
            List.of("live", "gone", "operator").get(random.nextInt(3)),
            host,
            random.nextInt(3),
            List.of(Action.OBSERVE, Action.TAG, Action.REJECT).get(random.nextInt(3)),
            "",
            random.nextInt(4) == 0 ? Place.NESTED : Place.OPEN,
            Weakness.NONE,
            false);
    List<Evidence.Listing> all = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      all.addAll(past.listings());
    }
    all.add(listing);
    boolean isAnothers = past.outcome() == Outcome.REFUSED && all.size() > 1;
    return Copy.of(
        Evidence.Decision.class,
        past,
        Map.of(
            "stage",
            Stage.DATA,
            "outcome",
            isAnothers ? Outcome.UNKNOWN : past.outcome(),
            "listings",
            all));
  }

  /** One in five has something odd in it. */
  private static Evidence odd(Evidence plain, Random random) {
    String helo = random.nextInt(10) == 0 ? HELOS.get(random.nextInt(HELOS.size())) : plain.helo();
    String from =
        random.nextInt(10) == 0 ? SENDERS.get(random.nextInt(SENDERS.size())) : plain.from();
    return new Evidence(
        plain.at(),
        plain.client(),
        helo,
        from,
        plain.domains(),
        plain.recipients(),
        plain.protocol(),
        plain.front(),
        random.nextInt(10) == 0 ? ofContent(plain, random) : plain.decision(),
        plain.sizeOctets(),
        plain.took(),
        plain.times(),
        plain.more());
  }
}
