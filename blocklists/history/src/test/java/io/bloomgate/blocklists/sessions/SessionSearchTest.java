package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every question gives what a walk over all sessions in memory gives. */
final class SessionSearchTest {

  private static final LocalDate FIRST = LocalDate.parse("2026-11-20");
  private static final int DAYS = 3;
  private static final int SESSIONS = 200;
  private static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant END = BEGIN.plus(Duration.ofDays(DAYS));

  @TempDir private Path state;
  private final List<Evidence> all = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final long seed = System.nanoTime();
  private SessionDays days;
  private SessionSearch search;

  /** Two days that are over, and one that is written. */
  @BeforeEach
  void write() throws IOException {
    days = new SessionDays(state);
    days.create();
    search = new SessionSearch(days, problems::add);
    KeptSessions random = new KeptSessions(seed);
    for (int day = 0; day < DAYS; day++) {
      LocalDate date = FIRST.plusDays(day);
      try (DayWriter writer = DayWriter.open(days.day(date, 1).file(), date)) {
        for (int i = 0; i < SESSIONS; i++) {
          Evidence session =
              random.next(BEGIN.plus(Duration.ofDays(day)).plusSeconds(i * 86_400L / SESSIONS));
          writer.add(session, null);
          all.add(session);
        }
        writer.commit();
      }
    }
  }

  private List<Evidence> found(SessionQuery query) throws IOException {
    List<Evidence> found = new ArrayList<>();
    search.forEach(query, found::add);
    return found;
  }

  private void same(SessionQuery query, Predicate<Evidence> wanted) throws IOException {
    List<Evidence> expected =
        all.reversed().stream()
            .filter(session ->
                !session.at().isBefore(query.since()) && session.at().isBefore(query.until()))
            .filter(wanted)
            .toList();
    assertEquals(expected, found(query), "seed " + seed);
    assertFalse(expected.isEmpty(), "a question that finds nothing shows nothing");
  }

  /** A question of the whole time; an empty text asks for all. */
  private static SessionQuery query(
      String client, String from, String to, String verdict, String feed) {
    return new SessionQuery(
        BEGIN,
        END,
        IpPrefix.parse(client).toOptional().orElse(null),
        said(from),
        said(to),
        said(verdict),
        said(feed),
        null,
        null);
  }

  private static @Nullable String said(String text) {
    return text.isEmpty() ? null : text;
  }

  @Test
  void everySessionComesBackAsItWas() throws IOException {
    same(SessionQuery.of(BEGIN, END), session -> true);
    same(
        SessionQuery.of(BEGIN.plus(Duration.ofHours(30)), END.minus(Duration.ofHours(20))),
        session -> true);
  }

  @Test
  void aSessionIsFoundByTheQueueIdInTheReply() throws IOException {
    Evidence any =
        all.stream()
            .filter(session -> session.decision().reply().contains("queued as "))
            .findFirst()
            .orElseThrow();
    String id = any.decision().reply().replaceFirst(".* queued as ", "");
    same(
        new SessionQuery(BEGIN, END, null, null, null, null, null, id, null),
        session -> session.decision().reply().contains(id));
  }

  /** The writer changes files a moment before or after midnight. */
  @Test
  void aRowThatIsOlderThanItsDayIsFound() throws IOException {
    LocalDate next = FIRST.plusDays(2);
    Instant midnight = BEGIN.plus(Duration.ofDays(2));
    Evidence session = new KeptSessions(seed + 1).next(midnight.minusMillis(5));
    try (DayWriter writer = DayWriter.open(days.day(next, 1).file(), next)) {
      writer.add(session, null);
      writer.commit();
    }
    assertEquals(
        List.of(session), found(SessionQuery.of(session.at(), session.at().plusMillis(1))));
  }

  @Test
  void sessionsOfANetworkAreFound() throws IOException {
    for (String network :
        List.of("203.0.3.0/24", "203.0.0.0/21", "203.0.3.16/28", "2001:db8:3::/48", "::/0")) {
      IpPrefix prefix = IpPrefix.parse(network).toOptional().orElseThrow();
      same(query(network, "", "", "", ""), session -> prefix.contains(session.client()));
    }
    String one = all.getFirst().client().toString();
    same(query(one, "", "", "", ""), session -> session.client().toString().equals(one));
  }

  @Test
  void sessionsOfASenderOrRecipientAreFound() throws IOException {
    same(query("", "D7.example", "", "", ""), s -> s.senderDomain().equals("d7.example"));
    same(query("", ".example", "", "", ""), s -> s.senderDomain().endsWith(".example"));
    same(query("", ".sub.example", "", "", ""), s -> s.senderDomain().contains(".sub."));
    same(query("", "<>", "", "", ""), session -> "".equals(session.from()));
    String from =
        all.stream().map(SessionSearchTest::from).filter(a -> !a.isEmpty()).findFirst().orElse("");
    same(query("", from, "", "", ""), session -> from.equals(session.from()));
    same(query("", "", "two.example", "", ""), s -> s.domains().contains("two.example"));
    same(
        query("", "", "bob3@home.example", "", ""),
        session -> session.decision().to().equals("bob3@home.example"));
  }

  private static String from(Evidence session) {
    return session.from() == null ? "" : session.from();
  }

  @Test
  void sessionsOfAVerdictOrAListAreFound() throws IOException {
    same(query("", "", "", "tempfail", ""), s -> s.decision().verdict().equals("tempfail"));
    same(query("", "", "", "accept", ""), s -> s.decision().verdict().equals("accept"));
    same(query("", "", "", "none", ""), s -> s.decision().verdict().isEmpty());
    for (String list : List.of("feed2", "names\"odd")) {
      same(
          query("", "", "", "", list),
          s -> s.decision().listings().stream().anyMatch(each -> each.list().equals(list)));
    }
    assertEquals(List.of(), found(query("", "", "", "would_reject", "")));
  }

  @Test
  void anIdIsFoundInItsDay() throws IOException {
    for (int i = 0; i < all.size(); i += 97) {
      Evidence session = all.get(i);
      assertEquals(
          session,
          search.find(session.decision().id(), BEGIN).orElseThrow(),
          "seed " + seed + " number " + i);
    }
    assertTrue(search.find("0000000000", BEGIN).isEmpty());
    assertTrue(search.find(all.getFirst().decision().id(), END).isEmpty(), "too old");
  }

  @Test
  void theMostFrequentAreCounted() throws IOException {
    for (TopBy by : TopBy.values()) {
      Map<String, Long> sums = new HashMap<>();
      for (Evidence session : all) {
        for (String what : counted(by, session)) {
          sums.merge(what, (long) session.times(), Long::sum);
        }
      }
      List<SessionSearch.Count> expected =
          sums.entrySet().stream()
              .map(sum -> new SessionSearch.Count(sum.getKey(), sum.getValue()))
              .sorted(
                  Comparator.comparingLong(SessionSearch.Count::sessions)
                      .reversed()
                      .thenComparing(SessionSearch.Count::what))
              .limit(15)
              .toList();
      assertEquals(expected, search.top(SessionQuery.of(BEGIN, END), by, 15), by + " seed " + seed);
    }
  }

  private static Set<String> counted(TopBy by, Evidence session) {
    return switch (by) {
      case FEED -> {
        Set<String> lists = new HashSet<>();
        session.decision().listings().forEach(each -> lists.add(each.list()));
        yield lists;
      }
      case CLIENT -> Set.of(session.client().toString());
      case NETWORK ->
          Set.of(IpPrefix.around(session.client(), session.client().isV4() ? 24 : 48).toString());
      case SENDER_DOMAIN ->
          session.senderDomain().isEmpty() ? Set.of() : Set.of(session.senderDomain());
      case RCPT_DOMAIN -> Set.copyOf(session.domains());
      case LIMIT ->
          session.decision().verdict().isEmpty() && session.decision().code() >= 400
              ? Set.of(session.decision().reply())
              : Set.of();
    };
  }

  @Test
  void sessionsAreCountedByHour() throws IOException {
    List<SessionCounts> rows = search.stats(SessionQuery.of(BEGIN, END), 3_600);
    assertEquals(DAYS * 24, rows.size());
    for (SessionCounts row : rows) {
      long accepted = 0;
      long refused = 0;
      long sessions = 0;
      for (Evidence session : all) {
        if (session.at().truncatedTo(ChronoUnit.HOURS).equals(row.begins())) {
          sessions += session.times();
          boolean delivered = session.decision().outcome() == Outcome.DELIVERED;
          accepted += delivered ? session.times() : 0;
          refused += session.decision().verdict().equals("reject") ? session.times() : 0;
        }
      }
      assertEquals(sessions, row.sessions(), "seed " + seed);
      assertEquals(accepted, row.accepted(), "seed " + seed);
      assertEquals(refused, row.refused(), "seed " + seed);
    }
  }

  /** What is decided on again is what was kept. */
  @Test
  void pastSessionsAreThoseThatWereKept() throws IOException {
    Map<String, PastSession> past = new HashMap<>();
    search.past(SessionQuery.of(BEGIN, END)).forEach(each -> past.put(each.id(), each));
    assertEquals(all.size(), past.size());
    for (Evidence kept : all) {
      PastSession each = Objects.requireNonNull(past.get(kept.decision().id()));
      assertEquals(kept.at(), each.at());
      assertEquals(kept.client(), each.facts().client());
      assertEquals(kept.helo(), String.valueOf(each.facts().helo()));
      assertEquals(
          kept.senderDomain(),
          each.facts().senderDomain() == null ? "" : each.facts().senderDomain().toString());
      assertEquals(kept.more().early(), each.facts().seen().early());
      assertEquals(kept.more().known(), each.known());
      assertEquals(Verdict.refuses(kept.decision().verdict()), each.refused());
      assertEquals(kept.times(), each.times());
      assertEquals(
          kept.decision().outcome() == Outcome.DELIVERED,
          each.outcome() == PastSession.Outcome.ACCEPTED);
      assertEquals(
          kept.decision().listings().stream()
              .filter(listing -> listing.counted() && listing.action().refuses())
              .map(Evidence.Listing::list)
              .toList(),
          each.lists());
    }
  }

  /** Each octet of a file may be wrong: what cannot be read is named, and nothing throws. */
  @Test
  void aDamagedDayIsNamedAndTheOthersAnswer() throws IOException {
    Path damaged = days.day(FIRST.plusDays(1), 1).file();
    byte[] whole = Files.readAllBytes(damaged);
    Random random = new Random(seed);
    int named = 0;
    for (int i = 0; i < 20; i++) {
      byte[] octets = whole.clone();
      int length = i % 4 == 0 ? random.nextInt(octets.length) : octets.length;
      for (int n = 0; n < 200; n++) {
        octets[random.nextInt(octets.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(damaged, Arrays.copyOf(octets, length));
      problems.clear();
      List<Evidence> found = found(SessionQuery.of(BEGIN, END));
      assertTrue(found.size() >= 2 * SESSIONS, "seed " + seed + " round " + i);
      search.top(SessionQuery.of(BEGIN, END), TopBy.FEED, 5);
      search.stats(SessionQuery.of(BEGIN, END), 3_600);
      named += problems.isEmpty() ? 0 : 1;
    }
    assertTrue(named > 10, named + " of 20 damaged files were named, seed " + seed);
    Files.write(damaged, whole);
  }

  @Test
  void onlyIdsOfRefusalsCountAsRefusals() throws IOException {
    List<String> asked = new ArrayList<>(List.of("0000000000", "no id"));
    all.forEach(session -> asked.add(session.decision().id()));
    List<String> refused =
        all.stream()
            .filter(session -> session.decision().isRefusal())
            .map(session -> session.decision().id())
            .toList();
    assertTrue(refused.size() < all.size());
    assertEquals(refused, search.refusals(asked, BEGIN), "seed " + seed);
    assertEquals(refused.subList(0, 1), search.refusals(refused.subList(0, 1), BEGIN));
    assertEquals(List.of(), search.refusals(refused, END), "too old");
  }
}
