package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Grounds;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whom the gateway takes for a good sender, and since when. */
class SenderWatchTest {

  private static final Instant NOW = Decisions.NOW;

  @TempDir Path state;
  private final List<String> alarms = new ArrayList<>();

  private KnownSenders learnt(DecisionRecord... records) throws IOException {
    KnownSenders senders = KnownSenders.open(state.resolve("senders"), alarms::add);
    try (SenderWatch watch =
        new SenderWatch(
            senders::accepted,
            () -> Privacy.FULL,
            System::nanoTime,
            Thread.ofPlatform().factory())) {
      watch.start();
      List.of(records).forEach(watch::take);
    }
    assertEquals(List.of(), alarms);
    return senders;
  }

  private static DecisionRecord decision(String client, Outcome outcome, Verdict verdict) {
    return Decisions.mail(
        client, outcome, verdict, Reply.of(250, "2.0.0", "Ok"), "bob@example.com");
  }

  private static boolean knows(KnownSenders senders, String client) {
    Instant later = NOW.plusSeconds(2);
    return senders
        .good(Duration.ZERO, later)
        .touches(IpPrefix.parse(client).toOptional().orElseThrow());
  }

  @Test
  void onlyMailThatWasDeliveredAndNoListSpokeAgainstMakesAGoodSender() throws Exception {
    KnownSenders senders =
        learnt(
            decision("203.0.113.1", Outcome.DELIVERED, Decisions.accepted()),
            decision(
                "203.0.112.1",
                Outcome.DELIVERED,
                Decisions.taggedBy("drop", "203.0.112.0/24", "203.0.112.1")),
            decision("203.0.111.1", Outcome.REFUSED, Decisions.accepted()),
            decision("203.0.110.1", Outcome.WOULD_REFUSE, Decisions.accepted()),
            decision("203.0.109.1", Outcome.DELIVERED, Decisions.leftOut("odd", "bob@")));
    assertEquals(
        List.of(true, false, false, false, false),
        Stream.of("203.0.113.1", "203.0.112.1", "203.0.111.1", "203.0.110.1", "203.0.109.1")
            .map(client -> knows(senders, client))
            .toList());
  }

  @Test
  void aForwarderIsNoGoodSenderOfTheMailOfOthers() throws Exception {
    IpAddress forwarder = IpAddress.parse("203.0.113.1").toOptional().orElseThrow();
    IpAddress client = IpAddress.parse("203.0.112.1").toOptional().orElseThrow();
    Facts unread = Facts.ofClient(forwarder).withSeen(Seen.NOTHING.withForwarder(forwarder));
    for (Facts facts : List.of(unread, unread.forwardedFor(client))) {
      KnownSenders senders =
          learnt(
              Decisions.with(
                  decision("203.0.113.1", Outcome.DELIVERED, Decisions.accepted()),
                  Decisions.ID,
                  NOW,
                  Decisions.trace("", facts, null)));
      assertFalse(knows(senders, "203.0.113.1"));
      assertFalse(knows(senders, "203.0.112.1"));
    }
  }

  @Test
  void mailForATrapMakesNoGoodSender() throws Exception {
    Grounds.Profile trap = new Grounds.Profile("trap", "old@example.com");
    KnownSenders senders =
        learnt(
            Decisions.with(
                decision("203.0.113.1", Outcome.DELIVERED, Decisions.accepted()),
                Decisions.ID,
                NOW,
                new SessionTrace("", null, false, null, null, List.of(), "", "", trap, List.of())));
    assertFalse(knows(senders, "203.0.113.1"));
  }

  /** The wall clock is forty days ahead for a while: what is learnt then counts at once. */
  @Test
  void aClockThatLeapsAheadMakesNoSenderOfTheFuture() throws Exception {
    DecisionRecord mail = decision("203.0.113.1", Outcome.DELIVERED, Decisions.accepted());
    Instant ahead = NOW.plus(Duration.ofDays(40));
    assertTrue(knows(learnt(Decisions.with(mail, Decisions.ID, ahead)), "203.0.113.1"));
  }
}
