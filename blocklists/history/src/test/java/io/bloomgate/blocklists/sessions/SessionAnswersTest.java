package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.control.ControlRequest.SessionsList;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Copy;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A day of few sessions, each written by hand. */
final class SessionAnswersTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-23");
  private static final Instant BEGIN = DAY.atStartOfDay().toInstant(ZoneOffset.UTC);
  private static final Instant NOW = BEGIN.plus(Duration.ofHours(12));

  @TempDir private Path state;
  private SessionDays days;
  private SessionSearch search;

  @BeforeEach
  void directory() throws IOException {
    days = new SessionDays(state);
    days.create();
    search = new SessionSearch(days, problem -> {});
  }

  private void keep(Evidence... sessions) throws IOException {
    try (DayWriter writer = DayWriter.open(days.day(DAY, 1).file(), DAY)) {
      for (Evidence session : sessions) {
        writer.add(session, null);
      }
      writer.commit();
    }
  }

  /** The hour of the day is in the id; the map has other components of the decision. */
  private static Evidence session(int hour, Mode mode, String verdict, Map<String, ?> others) {
    Evidence any = new KeptSessions(hour).next(BEGIN);
    Map<String, Object> decision = new HashMap<>();
    decision.put("id", IncidentId.format(hour));
    decision.put("mode", mode);
    decision.put("outcome", mode == Mode.OBSERVE ? Outcome.DELIVERED : Outcome.REFUSED);
    decision.put("verdict", verdict);
    decision.put("listings", List.of());
    decision.putAll(others);
    return Copy.of(
        Evidence.class,
        any,
        Map.of(
            "at",
            BEGIN.plus(Duration.ofHours(hour)),
            "decision",
            Copy.of(Evidence.Decision.class, any.decision(), decision),
            "times",
            1,
            "more",
            RareFacts.NOTHING));
  }

  private static Evidence plain(int hour, Mode mode, String verdict, String reply) {
    return session(hour, mode, verdict, Map.of("reply", reply));
  }

  private static Evidence plain(int hour, Mode mode, String verdict) {
    return plain(hour, mode, verdict, "550 no");
  }

  private List<String> listed(Instant since, @Nullable String verdict, long limit, Duration retain)
      throws IOException {
    List<String> ids = new ArrayList<>();
    new SessionAnswers(search, NOW.minus(retain), NOW)
        .answer(
            new SessionsList(since, null, null, null, verdict, null, limit),
            (JsonObject item) -> ids.add(item.text("id").orElse("")));
    return ids;
  }

  private static List<String> ids(int... hours) {
    List<String> ids = new ArrayList<>();
    for (int hour : hours) {
      ids.add(IncidentId.format(hour));
    }
    return ids;
  }

  @Test
  void noMoreIsListedThanIsAskedForAndKept() throws IOException {
    keep(plain(1, Mode.ENFORCE, "reject"), plain(2, Mode.ENFORCE, "reject"));
    Duration day = Duration.ofDays(1);
    assertEquals(ids(2, 1), listed(BEGIN, null, 2, day));
    assertEquals(ids(2), listed(BEGIN, null, 1, day));
    assertEquals(ids(2), listed(BEGIN, null, 9, Duration.ofHours(10)), "1 is no longer kept");
  }

  @Test
  void whatModeObserveLetPassIsNotRefused() throws IOException {
    keep(
        plain(1, Mode.OBSERVE, "reject"),
        plain(2, Mode.ENFORCE, "reject"),
        plain(3, Mode.SOFT, "reject"),
        plain(4, Mode.OBSERVE, "accept"));
    Duration day = Duration.ofDays(1);
    assertEquals(ids(1), listed(BEGIN, "would_reject", 9, day));
    assertEquals(ids(3, 2), listed(BEGIN, "reject", 9, day));
    assertEquals(ids(4), listed(BEGIN, "accept", 9, day));
  }

  /** The sender got a 451, which is what an administrator looks for. */
  @Test
  void whatModeSoftPutOffIsFoundAsThatAndAsARefusal() throws IOException {
    keep(
        plain(1, Mode.ENFORCE, "tempfail"),
        plain(2, Mode.ENFORCE, "reject"),
        plain(3, Mode.SOFT, "reject", "451 4.7.1 no"),
        plain(4, Mode.SOFT, "reject", "250 2.0.0 Ok"),
        plain(5, Mode.OBSERVE, "reject", "451 4.3.0 later"));
    Duration day = Duration.ofDays(1);
    assertEquals(ids(3, 1), listed(BEGIN, "tempfail", 9, day));
    assertEquals(ids(4, 3, 2), listed(BEGIN, "reject", 9, day));
  }

  private static Evidence named(int hour, String helo, String from, Missing... missing) {
    return Copy.of(
        Evidence.class,
        plain(hour, Mode.ENFORCE, ""),
        Map.of(
            "helo", helo,
            "from", from,
            "more", RareFacts.NOTHING.refusedToo(false, Set.of(missing))));
  }

  private List<PastSession> decidedAgain() throws IOException {
    List<PastSession> past = new ArrayList<>();
    search.past(SessionQuery.of(BEGIN, NOW)).forEach(past::add);
    return past;
  }

  private static List<Set<Missing>> missing(List<PastSession> past) {
    return past.stream().map(PastSession::missing).toList();
  }

  @Test
  void aMaskedAddressIsMissingInWhatIsDecidedAgain() throws IOException {
    keep(
        named(1, "h.example", "a@d.example"),
        named(2, "*@d.example", "*@d.example", Missing.HELO, Missing.SENDER),
        named(3, "h.example", "*", Missing.SENDER, Missing.SENDER_DOMAIN));
    List<PastSession> past = decidedAgain().reversed();
    assertEquals(
        List.of(
            Set.of(),
            Set.of(Missing.HELO, Missing.SENDER),
            Set.of(Missing.SENDER, Missing.SENDER_DOMAIN)),
        missing(past));
    assertEquals(List.of(), past.get(1).facts().sender());
    assertEquals("d.example", String.valueOf(past.get(1).facts().senderDomain()));
  }

  /** Only what was cut or masked in fact is missing: otherwise a client could hide its names. */
  @Test
  void aClientThatSendsTheSignsOfAMaskHidesNothing() throws IOException {
    List<String> locals = List.of("*", "a...", "*@b");
    for (int i = 0; i < locals.size(); i++) {
      String local = locals.get(i).indexOf('@') < 0 ? locals.get(i) : '"' + locals.get(i) + '"';
      keep(named(1 + i, locals.get(i) + "@a.spam.example", local + "@bad.example"));
    }
    for (PastSession past : decidedAgain()) {
      assertEquals(Set.of(), past.missing(), past.toString());
      ListKey helo = Objects.requireNonNull(past.facts().helo(), past.toString());
      assertTrue(helo.toString().endsWith("spam.example"), past.toString());
      assertEquals(1, past.facts().sender().size(), past.toString());
    }
  }

  /** A flood of listings does not fill the disk. */
  @Test
  void listingsOfOneRowAreBounded() throws IOException {
    assertEquals(1 + 20, kept(1, listing("d.example")));
    assertEquals(1 + 20, kept(2, listing("d".repeat(600))));
  }

  private static Evidence.Listing listing(String subject) {
    return new Evidence.Listing(
        Check.SENDER_DOMAIN, subject, "drop", subject, 7, Action.REJECT, "");
  }

  private int kept(int id, Evidence.Listing listing) throws IOException {
    keep(session(id, Mode.ENFORCE, "reject", Map.of("listings", Collections.nCopies(50, listing))));
    return search.find(IncidentId.format(id), BEGIN).orElseThrow().decision().listings().size();
  }

  @Test
  void theDomainsOfRecipientsAreBounded() {
    List<String> to = new ArrayList<>(List.of("no address", "a@One.example", "b@one.EXAMPLE"));
    for (int i = 0; i < 50; i++) {
      to.add("c@d" + i + ".example");
    }
    List<String> domains = Evidence.domains(to);
    assertEquals(List.of("one.example", "d0.example"), domains.subList(0, 2));
    assertEquals(Evidence.MAX_DOMAINS, domains.size());
  }
}
