package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.sessions.Evidence;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionJson;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.smtp.Replies;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in which a list refused one recipient, and mail to another one was taken. */
final class PartlyRefusedTest extends StoreFixture {

  /**
   * A listed client writes to somebody and to postmaster: one is refused, the other has the mail.
   */
  @Test
  void aRefusalIsNotHiddenByMailToOthers() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, listed(Outcome.REFUSED, "bob@example.com"), 1));
      store.keep(of(mark, listed(Outcome.REFUSED, "al@example.net"), 2));
      store.keep(
          of(
              mark,
              delivered(Decisions.exemptRecipient("drop", CLIENT), "postmaster@example.org"),
              3));
      Evidence whole = all(store).getFirst();
      assertEquals(List.of("example.org", "example.com", "example.net"), whole.domains());
      assertTrue(whole.refusedToo());
      assertEquals("postmaster@example.org", whole.decision().to());
      assertEquals("bob@example.com", found(store, 1).decision().to());
      assertEquals("al@example.net", found(store, 2).decision().to());
      assertEquals(Outcome.REFUSED, found(store, 2).decision().outcome());
      for (String verdict : List.of("reject", "accept")) {
        assertEquals(1, asked(store, verdict, null, null), verdict);
      }
      assertEquals(0, asked(store, "tempfail", null, null));
      for (String to :
          List.of("example.com", "bob@example.com", "<al@example.net>", "@example.org")) {
        assertEquals(1, asked(store, null, to, null), to);
      }
      assertEquals(0, asked(store, null, "eve@example.com", null));
      for (String from : List.of(".spam.example", "@spam.example", "<a@spam.example>")) {
        assertEquals(1, asked(store, null, null, from), from);
      }
      SessionCounts counts = store.search().stats(everything(), 3_600).getFirst();
      assertEquals(1, counts.accepted());
      assertEquals(1, counts.refusedToo());
    }
  }

  /** What an administrator has is the address of the recipient, or one of the two ids. */
  @Test
  void eachAnswerIsListedForItsRecipientAndNamesTheOthers() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, listed(Outcome.REFUSED, "bob@example.com"), 1));
      Verdict tag = Decisions.taggedBy("drop", "203.0.113.0/24", CLIENT);
      store.keep(of(mark, delivered(tag, "sales@example.com"), 2));
      assertTrue(store.awaitWritten());
      assertEquals(id(1), first(store, null, "bob@example.com"));
      assertEquals(id(1), first(store, "reject", null));
      assertEquals(id(1), first(store, "reject", "bob@example.com"));
      assertEquals(id(2), first(store, "tag", null));
      assertEquals(id(2), first(store, null, "example.com"));
      assertEquals(id(2), first(store, "reject", "sales@example.com"), "no answer is both");
      for (int i = 1; i <= 2; i++) {
        JsonObject shown = SessionJson.of(found(store, i));
        JsonObject other = shown.objects("answers").getFirst();
        assertEquals(1, shown.objects("answers").size());
        assertEquals(id(3 - i), other.text("id").orElseThrow());
        assertEquals(i == 1 ? "sales@example.com" : "bob@example.com", other.text("to").get());
        assertEquals(i == 1 ? "tag" : "reject", other.text("verdict").orElseThrow());
        assertEquals(i == 1 ? "250" : "554", other.text("reply").orElseThrow().substring(0, 3));
        assertEquals(i == 2, shown.isTrue("refused_too"), "beside the answer that is shown");
      }
    }
  }

  /** In whatever order the recipients come, and whether the mail was taken for one of them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theIncidentOfEachRecipientHasItsOwnProfile(boolean taken) throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      Verdict strict = Decisions.rejectedFor("drop", CLIENT, "strict", ".students.example");
      store.keep(of(mark, listed(Outcome.REFUSED, "bob@example.com"), 1));
      store.keep(of(mark, listed(Outcome.REFUSED, "x@a.students.example", strict), 2));
      store.keep(of(mark, listed(Outcome.REFUSED, "eve@example.com"), 3));
      if (taken) {
        Verdict off = Decisions.ofProfile("drop", CLIENT, "off", "quiet.example");
        store.keep(of(mark, listed(Outcome.DELIVERED, "b@quiet.example", off), 4));
        assertEquals("off (quiet.example)", found(store, 4).more().profile());
        assertEquals("profile", found(store, 4).more().passed().get("exempt"));
      }
      assertEquals("strict (.students.example)", found(store, 2).more().profile());
      for (int i = 1; i <= 3; i++) {
        assertEquals(i == 2, !found(store, i).more().profile().isEmpty(), "of " + i);
        assertEquals(Map.of(), found(store, i).more().passed());
      }
    }
  }

  /** Mode observe lets a mail to a trap and to others pass. */
  @Test
  void aMailForATrapStaysOneBesideWhatWasNotedOfAnotherRecipient() throws IOException {
    try (SessionStore store = open()) {
      Object mark = new Object();
      store.keep(of(mark, listed(Outcome.WOULD_REFUSE, "bob@example.com"), 1));
      Verdict verdict = Decisions.rejectedBy("drop", "203.0.113.0/24", CLIENT);
      DecisionRecord mail = delivered(verdict, "old@example.com", "bob@example.com");
      Grounds.Profile trap = new Grounds.Profile("trap", "old@example.com");
      SessionTrace trace =
          new SessionTrace("", null, false, mark, null, List.of(), "", "", trap, List.of());
      store.keep(Decisions.with(mail, id(2), now, trace));
      assertTrue(store.awaitWritten());
      assertTrue(found(store, 2).isForTrap());
      assertEquals("", found(store, 1).more().profile());
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
                delivered(
                    i == 1
                        ? Decisions.exemptAmong("evil.example")
                        : Decisions.taggedBy("drop", "203.0.113.0/24", CLIENT),
                    "bob@example.com",
                    "postmaster@example.com"),
                i));
      }
      for (int i = 1; i <= 2; i++) {
        Evidence.Decision kept = found(store, i).decision();
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
                      CLIENT,
                      Outcome.PROTOCOL,
                      null,
                      Replies.malformedContent("bare <LF>", 3),
                      "spam.example",
                      "a@spam.example",
                      "bob@example.com")),
              1));
      Evidence.Decision whole = found(store, 1).decision();
      assertEquals(Outcome.PROTOCOL, whole.outcome());
      assertEquals(550, whole.code());
      assertEquals("reject", whole.verdict());
      assertEquals("drop", whole.deciding().orElseThrow().list());
    }
  }
}
