package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.control.ControlRequest.SessionsList;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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

  private void keep(KeptSession... sessions) throws IOException {
    try (DayWriter writer = DayWriter.open(days.day(DAY, 1).file(), DAY)) {
      for (KeptSession session : sessions) {
        writer.add(session);
      }
      writer.commit();
    }
  }

  /** The hour of the day is in the id. */
  private static KeptSession session(int hour, String from, List<String> to, KeptDecision one) {
    KeptSession any = new KeptSessions(hour).next(BEGIN);
    return new KeptSession(
        BEGIN.plus(Duration.ofHours(hour)),
        any.client(),
        any.name(),
        any.helo(),
        from,
        to,
        1,
        "ESMTP",
        "",
        false,
        false,
        one,
        0,
        Duration.ZERO,
        1);
  }

  private static KeptDecision decision(
      int id, Mode mode, String verdict, List<KeptListing> listings) {
    KeptDecision any = new KeptSessions(1).next(BEGIN).decision();
    return new KeptDecision(
        IncidentId.format(id),
        any.stage(),
        mode,
        mode == Mode.OBSERVE ? Outcome.DELIVERED : Outcome.REFUSED,
        "",
        verdict,
        0,
        listings,
        "550 no");
  }

  private static KeptSession plain(int hour, Mode mode, String verdict) {
    return session(
        hour, "a@d.example", List.of("home.example"), decision(hour, mode, verdict, List.of()));
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

  @Test
  void aMaskedAddressIsMissingInWhatIsDecidedAgain() throws IOException {
    keep(
        session(
            1, "a@d.example", List.of("home.example"), decision(1, Mode.ENFORCE, "", List.of())),
        session(
            2, "*@d.example", List.of("home.example"), decision(2, Mode.ENFORCE, "", List.of())),
        session(3, "*", List.of("home.example"), decision(3, Mode.ENFORCE, "", List.of())));
    List<Set<Missing>> missing = new ArrayList<>();
    new StoredSessions(search, BEGIN, NOW)
        .forEach((PastSession past) -> missing.add(past.missing()));
    assertEquals(
        List.of(Set.of(), Set.of(Missing.SENDER), Set.of(Missing.SENDER, Missing.SENDER_DOMAIN)),
        missing);
  }

  /** Listings of a row are one text: as many as fit come back whole. */
  @Test
  void listingsOfOneRowAreBounded() throws IOException {
    assertEquals(1 + ListingsText.MAX_LISTINGS, kept(1, listing("d.example")));
    assertEquals(1 + 5, kept(2, listing("d".repeat(600))));
  }

  private static KeptListing listing(String subject) {
    return new KeptListing(Check.SENDER_DOMAIN, subject, "drop", subject, 7, Action.REJECT, "");
  }

  private int kept(int id, KeptListing listing) throws IOException {
    KeptDecision one = decision(id, Mode.ENFORCE, "reject", Collections.nCopies(50, listing));
    keep(session(id, "a@d.example", List.of("home.example"), one));
    return search.find(IncidentId.format(id), BEGIN).orElseThrow().decision().listings().size();
  }

  @Test
  void theDomainsOfRecipientsAreBounded() {
    List<String> to = new ArrayList<>(List.of("no address", "a@One.example", "b@one.EXAMPLE"));
    for (int i = 0; i < 50; i++) {
      to.add("c@d" + i + ".example");
    }
    List<String> domains = KeptSession.domains(to);
    assertEquals(List.of("one.example", "d0.example"), domains.subList(0, 2));
    assertEquals(KeptSession.MAX_DOMAINS, domains.size());
  }
}
