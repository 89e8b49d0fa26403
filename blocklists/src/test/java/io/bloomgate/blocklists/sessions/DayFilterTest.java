package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** To open a day costs far more than its filter: a damaged one is named only where it is read. */
final class DayFilterTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-20");
  private static final Instant BEGIN = DAY.atStartOfDay().toInstant(ZoneOffset.UTC);

  @TempDir private Path state;
  private final List<String> problems = new ArrayList<>();
  private final long seed = System.nanoTime();
  private final KeptSession sealed = new KeptSessions(seed).next(BEGIN);
  private SessionSearch search;

  /** A day of the one session that is sealed, and its file damaged since. */
  @BeforeEach
  void write() throws IOException {
    SessionDays days = new SessionDays(state);
    days.create();
    search = new SessionSearch(days, problems::add);
    SessionDays.Day day = days.day(DAY, 1);
    KeptSessions random = new KeptSessions(seed);
    try (DayWriter writer = DayWriter.open(day.file(), DAY)) {
      for (int i = 0; i < 600; i++) {
        writer.add(random.next(BEGIN.plusSeconds(i)));
      }
      writer.commit();
    }
    new DaySeal(new Random(seed)).seal(day);
    Files.writeString(day.file(), "no database, and long enough to be none".repeat(100));
  }

  private static SessionQuery client(String network) {
    IpPrefix client = IpPrefix.parse(network).toOptional().orElseThrow();
    return new SessionQuery(BEGIN, BEGIN.plus(Duration.ofDays(1)), client, null, null, null, null);
  }

  private static SessionQuery from(String domain) {
    return new SessionQuery(BEGIN, BEGIN.plus(Duration.ofDays(1)), null, domain, null, null, null);
  }

  private static SessionQuery to(String address) {
    return new SessionQuery(BEGIN, BEGIN.plus(Duration.ofDays(1)), null, null, address, null, null);
  }

  private int opened(SessionQuery query) throws IOException {
    problems.clear();
    search.forEach(query, session -> true);
    return problems.size();
  }

  private int opened(String id) throws IOException {
    problems.clear();
    assertTrue(search.find(id, BEGIN).isEmpty());
    return problems.size();
  }

  /** The filter says yes to one question of about a hundred that it should exclude. */
  @Test
  void aDayWhoseFilterExcludesTheQuestionIsNotOpened() throws IOException {
    int opened = 0;
    for (int i = 0; i < 100; i++) {
      opened += opened(client("203.0." + i % 8 + "." + (100 + i)));
      opened += opened(client("198.51." + i + ".0/24"));
      opened += opened(client("2001:db9:" + i + "::/56"));
      opened += opened(from("no" + i + ".example"));
      opened += opened(to("bob@no" + i + ".example"));
      opened += opened(IncidentId.format(i));
    }
    assertTrue(opened < 40, opened + " of 600 questions read the day, seed " + seed);
  }

  @Test
  void aDayThatMayHoldTheAnswerIsOpened() throws IOException {
    String network = IpPrefix.around(sealed.client(), sealed.client().isV4() ? 24 : 48).toString();
    assertEquals(1, opened(client(sealed.client().toString())), "seed " + seed);
    assertEquals(1, opened(client(network)), "seed " + seed);
    assertEquals(1, opened(to("home.example")), "seed " + seed);
    assertEquals(1, opened(sealed.decision().id()), "seed " + seed);
  }
}
