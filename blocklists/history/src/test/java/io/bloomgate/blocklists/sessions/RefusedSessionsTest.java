package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Grounds.Waiver;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which sessions count as refused: for complaints that quote ids, and for whose mail is good. */
final class RefusedSessionsTest {

  private static final LocalDate FIRST = LocalDate.parse("2026-11-20");
  private static final Instant BEGIN = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant END = BEGIN.plus(Duration.ofDays(2));
  private static final int SESSIONS = 300;

  @TempDir private Path state;
  private final List<Evidence> all = new ArrayList<>();
  private final long seed = System.nanoTime();
  private SessionDays days;
  private SessionSearch search;

  /** A day that is over, and one that is written. */
  @BeforeEach
  void write() throws IOException {
    days = new SessionDays(state);
    days.create();
    search = new SessionSearch(days, problem -> {});
    KeptSessions random = new KeptSessions(seed);
    for (int day = 0; day < 2; day++) {
      LocalDate date = FIRST.plusDays(day);
      try (DayWriter writer = DayWriter.open(days.day(date, 1).file(), date)) {
        for (int i = 0; i < SESSIONS; i++) {
          Evidence session = random.next(BEGIN.plus(Duration.ofDays(day)).plusSeconds(i));
          writer.add(session, null);
          all.add(session);
        }
        writer.commit();
      }
    }
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

  /** Mail to postmaster passes although a list is against its sender. */
  @Test
  void mailThatOnlyAnExemptionLetPassSaysNothingGoodOfItsSender() throws IOException {
    String id = "0000000001";
    LocalDate last = FIRST.plusDays(1);
    Evidence session = new KeptSessions(seed + 1).next(END.minusSeconds(1));
    String client = session.client().toString();
    Evidence.Listing waived =
        new Evidence.Listing(
            Check.CLIENT_IP,
            client,
            "feed1",
            client,
            3,
            Action.REJECT,
            Waiver.EXEMPT_RECIPIENT.words());
    Evidence.Decision one = session.decision();
    try (DayWriter writer = DayWriter.open(days.day(last, 1).file(), last)) {
      writer.add(
          session.with(
              new Evidence.Decision(
                  id,
                  one.stage(),
                  Mode.ENFORCE,
                  Outcome.DELIVERED,
                  one.to(),
                  "accept",
                  one.generation(),
                  List.of(waived),
                  one.reply()),
              session.more()),
          null);
      writer.commit();
    }
    List<PastSession> found = new ArrayList<>();
    search
        .past(SessionQuery.of(BEGIN, END))
        .forEach(past -> {
          if (past.id().equals(id)) {
            found.add(past);
          }
        });
    assertTrue(found.getFirst().refused());
    assertEquals(List.of(), found.getFirst().lists(), "it did not count");
  }
}
