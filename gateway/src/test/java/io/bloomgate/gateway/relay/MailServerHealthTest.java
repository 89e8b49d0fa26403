package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What servers that answer, but not all clients, are taken for. */
class MailServerHealthTest extends TwoServers {

  /** Its own limits are full: five clients must not move all mail to the backup server. */
  @Test
  void aGreetingOf421SaysNothingOfTheServer() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    upstreams.probe();
    first.always(ScriptedUpstream.CONNECT, c -> c.reply("421 4.7.0 too many connections"));
    for (int i = 0; i < 2 * MailServerHealth.MAX_UNSERVED; i++) {
      int network = i;
      UpstreamException e =
          assertThrows(UpstreamException.class, () -> upstreams.open(clientOf(network)));
      assertEquals("4.3.2", e.reply().enhanced());
      upstreams.probeIfDown();
    }
    assertEquals(List.of(true, true), up(upstreams));
    first.usual(ScriptedUpstream.CONNECT);
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
    // One that greets probes so for minutes and nobody else otherwise is of no use.
    first.always(ScriptedUpstream.CONNECT, c -> c.reply("421 4.3.2 not in service"));
    upstreams.probe();
    ahead.addAndGet(MailServerHealth.LONG_BUSY.toNanos());
    upstreams.probe();
    assertEquals(List.of(false, true), up(upstreams));
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }

  @Test
  void clientsThatTheServerCutsOffForTheirBadRecipientsSayNothingOfIt() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    upstreams.probe();
    for (int i = 0; i < 2 * MailServerHealth.MAX_UNSERVED; i++) {
      first.on("RCPT", "250 2.1.5 ok", "550 5.1.1 nobody", "421 4.7.0 too many errors");
      try (UpstreamSession session = upstreams.open(clientOf(i))) {
        assertEquals(250, mailAndRcpt(session).code());
        assertEquals(550, session.rcpt(new RcptCommand(RelayFixture.TO_EVE)).code());
        UpstreamException e =
            assertThrows(
                UpstreamException.class, () -> session.rcpt(new RcptCommand(RelayFixture.TO_EVE)));
        assertTrue(e.closedBehindRefusals());
        assertFalse(e.connectionClosed());
      }
    }
    assertEquals(List.of(true, true), up(upstreams));
  }

  private static ClientIdentity clientOf(int network) {
    return client("198.51." + network + ".1", "mail.partner.example");
  }

  @Test
  void aServerThatRefusesEachClientOnceItIsNamedIsPassedOver() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    first.offering("XCLIENT ADDR");
    second.offering("XCLIENT ADDR");
    MailRoutes upstreams = fixture.to(first, second);
    upstreams.probe();
    first.always("XCLIENT", connection -> connection.reply("550 5.7.0 insufficient authorization"));
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertEquals(List.of(true, true), up(upstreams), "it may be this client's doing");
    upstreams.probeIfDown();
    assertEquals(List.of(false, true), up(upstreams), "the probe is named as clients are");
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }

  @Test
  void aServerThatServesNoneOfManyClientsIsPassedOverUntilItDoes() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.always("MAIL", UpstreamConnection::drop);
    for (int i = 0; i < MailServerHealth.MAX_UNSERVED; i++) {
      assertEquals(List.of(), unserved(upstreams, i));
    }
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
    upstreams.probeIfDown();
    assertEquals(List.of(false, true), up(upstreams), "it would greet, and that is not enough");
    first.usual("MAIL");
    ahead.addAndGet(Duration.ofMinutes(1).toNanos());
    upstreams.probeIfDown();
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
  }

  /** What happened to a message of this client, which was to fail; empty when it did. */
  private static List<String> unserved(MailRoutes upstreams, int network) throws UpstreamException {
    try (UpstreamSession session = upstreams.open(clientOf(network))) {
      message(session);
      return List.of("delivered");
    } catch (UpstreamException e) {
      return e.reply().code() == 451 ? List.of() : List.of(e.reply().toString());
    }
  }

  @Test
  void oneClientThatIsNeverServedSaysNothingOfOthers() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    for (int i = 0; i < 2 * MailServerHealth.MAX_UNSERVED; i++) {
      first.on("DATA", UpstreamConnection::drop);
      assertEquals(List.of(), unserved(upstreams, 7));
    }
    assertEquals(List.of(true, false), up(upstreams), "the second was never tried");
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
  }

  @Test
  void whoIsServedInBetweenSpeaksForTheServer() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    for (int i = 1; i < MailServerHealth.MAX_UNSERVED; i++) {
      loseAtFinalDot(upstreams, i);
    }
    deliver(upstreams);
    for (int i = 1; i < MailServerHealth.MAX_UNSERVED; i++) {
      loseAtFinalDot(upstreams, i);
    }
    assertTrue(up(upstreams).getFirst());
    try (UpstreamSession envelope = upstreams.open(client())) {
      // A server that still takes envelopes need not take messages.
      assertEquals(250, mailAndRcpt(envelope).code());
    }
    loseAtFinalDot(upstreams, 0);
    assertFalse(up(upstreams).getFirst());
  }

  private void loseAtFinalDot(MailRoutes upstreams, int network) throws UpstreamException {
    first.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    assertEquals(List.of(), unserved(upstreams, network));
  }

  @Test
  void probesOfAServerThatServesNobodyGrowRarerThoughTheySucceed() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.always(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    int lost = 0;
    for (int second = 0; second < 600; second++) {
      lost += unserved(upstreams, second % 200).isEmpty() ? 1 : 0;
      upstreams.probeIfDown();
      ahead.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    assertTrue(lost >= 10 && lost <= 20, "messages that met the bad server: " + lost);
  }

  @Test
  void aDoubtOutlastsTheTimeInWhichNoProbeIsDue() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V2;
    first.behindProxy().on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    second.behindProxy();
    MailRoutes upstreams = fixture.to(first, second);
    upstreams.probeIfDown();
    assertEquals(List.of(false, true), up(upstreams));
    // A session finds the first well; then it refuses a client, and soon everybody.
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    deliver(upstreams);
    first.always(ScriptedUpstream.CONNECT, connection -> connection.reply("521 5.7.1 banned"));
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    upstreams.probeIfDown();
    ahead.addAndGet(Duration.ofSeconds(30).toNanos());
    upstreams.probeIfDown();
    assertFalse(up(upstreams).getFirst(), "the doubt was forgotten");
  }

  // ---- when all are down

  @Test
  void whenAllAreDownTheFirstIsTriedSoThatMailEndsTheOutage() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop, UpstreamConnection::drop);
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertFalse(upstreams.isUp());
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
    assertTrue(upstreams.isUp());
  }

  @Test
  void whenAllAreDownTheOthersAreTriedBehindTheFirst() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, "554 5.3.2 not in service");
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertFalse(upstreams.isUp());
    deliver(upstreams);
    assertEquals(1, second.deliveredCount(), "one bad moment of the second is no outage");
    assertEquals(List.of(false, true), up(upstreams));
  }
}
