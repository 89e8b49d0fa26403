package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.DayRetention;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.IncidentId;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in which a list refused one recipient, and mail to another one was taken. */
final class PartlyRefusedTest {

  private static final Duration RETAIN = Duration.ofDays(30);

  @TempDir private Path directory;
  private final Instant now = Decisions.NOW;

  /**
   * A listed client writes to somebody and to postmaster: one is refused, the other has the mail.
   */
  @Test
  void aRefusalIsNotHiddenByMailToOthers() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, refused("bob@example.com"), 1));
      store.keep(of(mark, refused("al@example.net"), 2));
      store.keep(
          of(
              mark,
              Decisions.record(
                  "203.0.113.7",
                  Outcome.DELIVERED,
                  Decisions.exemptRecipient("drop", "203.0.113.7"),
                  Reply.of(250, "2.0.0", "Ok: queued as 4F2"),
                  "spam.example",
                  "a@spam.example",
                  "postmaster@example.org"),
              3));
      Evidence whole = all(store).getFirst();
      assertEquals(List.of("example.org", "example.com", "example.net"), whole.domains());
      assertTrue(whole.refusedToo());
      assertEquals("postmaster@example.org", whole.decision().to());
      assertEquals("bob@example.com", found(store, id(1)).decision().to());
      assertEquals("al@example.net", found(store, id(2)).decision().to());
      assertEquals(Outcome.REFUSED, found(store, id(2)).decision().outcome());
      for (String verdict : List.of("reject", "accept")) {
        assertEquals(1, asked(store, verdict, null), verdict);
      }
      assertEquals(0, asked(store, "tempfail", null));
      for (String to :
          List.of("example.com", "bob@example.com", "<al@example.net>", "@example.org")) {
        assertEquals(1, asked(store, null, to), to);
      }
      assertEquals(0, asked(store, null, "eve@example.com"));
      for (String from : List.of(".spam.example", "@spam.example", "<a@spam.example>")) {
        assertEquals(1, asked(store, null, null, from), from);
      }
      SessionCounts counts =
          store
              .search()
              .stats(SessionQuery.of(now.minus(RETAIN), now.plusSeconds(1)), 3_600)
              .getFirst();
      assertEquals(1, counts.accepted());
      assertEquals(1, counts.refusedToo());
    }
  }

  /** In whatever order the recipients come, and whether the mail was taken for one of them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theIncidentOfEachRecipientHasItsOwnProfile(boolean taken) throws IOException {
    String client = "203.0.113.7";
    try (SessionStore store = open()) {
      Object mark = new Object();
      Verdict strict = Decisions.rejectedFor("drop", client, "strict", ".students.example");
      store.keep(of(mark, refused("bob@example.com"), 1));
      store.keep(of(mark, to("x@a.students.example", Outcome.REFUSED, strict), 2));
      store.keep(of(mark, refused("eve@example.com"), 3));
      if (taken) {
        Verdict off = Decisions.ofProfile("drop", client, "off", "quiet.example");
        store.keep(of(mark, to("b@quiet.example", Outcome.DELIVERED, off), 4));
        assertEquals("off (quiet.example)", found(store, id(4)).more().profile());
        assertEquals("profile", found(store, id(4)).more().passed().get("exempt"));
      }
      assertEquals("strict (.students.example)", found(store, id(2)).more().profile());
      for (int i = 1; i <= 3; i++) {
        assertEquals(i == 2, !found(store, id(i)).more().profile().isEmpty(), "of " + i);
        assertEquals(Map.of(), found(store, id(i)).more().passed());
      }
    }
  }

  /** Without postmaster among the recipients the mail would have been refused. */
  @Test
  void aTagThatIsAllThatAnExemptRecipientLeftIsKnownAsThat() throws IOException {
    try (SessionStore store = open()) {
      for (int i = 1; i <= 2; i++) {
        store.keep(
            of(
                new Object(),
                Decisions.record(
                    "203.0.113.7",
                    Outcome.DELIVERED,
                    i == 1
                        ? Decisions.exemptAmong("evil.example")
                        : Decisions.taggedBy("drop", "203.0.113.0/24", "203.0.113.7"),
                    Reply.of(250, "2.0.0", "Ok: queued as 4F2"),
                    "spam.example",
                    "a@spam.example",
                    "bob@example.com",
                    "postmaster@example.com"),
                i));
      }
      for (int i = 1; i <= 2; i++) {
        Evidence.Decision kept = found(store, id(i)).decision();
        assertEquals(1, kept.listings().size());
        assertEquals(i == 1, kept.listings().getFirst().exemptAmong());
        assertEquals(i == 2, kept.listings().getFirst().ofWholeMail());
      }
    }
  }

  /** A bare line end in the content, of a listed client in mode observe. */
  @ParameterizedTest
  @EnumSource(names = {"WOULD_REFUSE", "UPSTREAM_REFUSED"})
  void whatModeObserveNotedIsKeptWhenTheProtocolRefusesTheMail(Outcome ofFirst) throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, listed(ofFirst, "bob@example.com"), 1));
      store.keep(
          of(
              mark,
              Decisions.at(
                  Stage.DATA,
                  Decisions.record(
                      "203.0.113.7",
                      Outcome.PROTOCOL,
                      null,
                      Replies.malformedContent("bare <LF>", 3),
                      "spam.example",
                      "a@spam.example",
                      "bob@example.com")),
              1));
      Evidence.Decision whole = found(store, id(1)).decision();
      assertEquals(Outcome.PROTOCOL, whole.outcome());
      assertEquals(550, whole.code());
      assertEquals("reject", whole.verdict());
      assertEquals("drop", whole.deciding().orElseThrow().list());
    }
  }

  private int asked(SessionStore store, @Nullable String verdict, @Nullable String to)
      throws IOException {
    return asked(store, verdict, to, null);
  }

  private int asked(
      SessionStore store, @Nullable String verdict, @Nullable String to, @Nullable String from)
      throws IOException {
    int[] found = new int[1];
    store
        .search()
        .forEach(
            new SessionQuery(
                now.minus(RETAIN), now.plusSeconds(1), null, from, to, verdict, null, null, null),
            _ -> ++found[0] > 0);
    return found[0];
  }

  private static DecisionRecord refused(String to) {
    return listed(Outcome.REFUSED, to);
  }

  private static DecisionRecord listed(Outcome outcome, String to) {
    return to(to, outcome, Decisions.rejectedBy("drop", "203.0.113.0/24", "203.0.113.7"));
  }

  private static DecisionRecord to(String to, Outcome outcome, Verdict verdict) {
    return Decisions.record(
        "203.0.113.7",
        outcome,
        verdict,
        Decisions.refusal("203.0.113.7", "drop", Decisions.ID),
        "spam.example",
        "a@spam.example",
        to);
  }

  private SessionStore open() {
    SessionDays days = new SessionDays(directory);
    SessionStore store =
        new SessionStore(
            days,
            new DayRetention(days),
            new SessionSettings(RETAIN, 1L << 30, Privacy.FULL),
            () -> now,
            System::nanoTime,
            Thread::new);
    store.start();
    return store;
  }

  private static String id(int number) {
    return IncidentId.format(number);
  }

  private DecisionRecord of(Object mark, DecisionRecord record, int number) {
    return Decisions.with(record, id(number), now, new SessionTrace("[::]:25", null, false, mark));
  }

  private static Evidence found(SessionStore store, String id) throws IOException {
    return store.find(id).orElseThrow();
  }

  private List<Evidence> all(SessionStore store) throws IOException {
    assertTrue(store.awaitWritten());
    List<Evidence> all = new ArrayList<>();
    store.search().forEach(SessionQuery.of(now.minus(RETAIN), now.plusSeconds(1)), all::add);
    return all;
  }
}
