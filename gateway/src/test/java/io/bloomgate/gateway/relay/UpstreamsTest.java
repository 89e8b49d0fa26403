package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.gateway.smtp.RcptParameters;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several servers: who stands in for whom, and which mail goes where. */
class UpstreamsTest {

  private final ScriptedUpstream first = ScriptedUpstream.start();
  private final ScriptedUpstream second = ScriptedUpstream.start();
  private final RelayFixture fixture = new RelayFixture();
  private final AtomicLong ahead = new AtomicLong();

  @BeforeEach
  void clock() {
    fixture.nanoTime = () -> System.nanoTime() + ahead.get();
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static void deliver(Upstream upstream) throws UpstreamException {
    try (UpstreamSession session = upstream.open(client())) {
      assertEquals(250, message(session).code());
    }
  }

  private static List<Boolean> up(Upstreams upstreams) {
    return upstreams.states().stream().map(placed -> placed.state().up()).toList();
  }

  // ---- failover

  @ParameterizedTest
  @ValueSource(strings = {"554 5.3.2 no service here", "what?", ""})
  void aServerThatIsDownIsPassedOverUntilAProbeFindsItWell(String greeting)
      throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    first.always(
        ScriptedUpstream.CONNECT,
        connection -> {
          if (greeting.isEmpty()) {
            connection.drop();
          } else {
            connection.reply(greeting);
          }
        });
    deliver(upstreams);
    deliver(upstreams);
    assertEquals(2, second.deliveredCount());
    assertEquals(1, first.connections().size(), "it is not asked again for each message");
    assertEquals(List.of(false, true), up(upstreams));
    assertTrue(upstreams.isUp());
    first.usual(ScriptedUpstream.CONNECT);
    upstreams.probeIfDown();
    assertEquals(List.of(true, true), up(upstreams));
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
  }

  /** The next probe of a stand-in may be a minute away; mail need not wait for it. */
  @Test
  void aStandInThatCameBackServesAtOnceWhenTheFirstFails() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    second.always(ScriptedUpstream.CONNECT, connection -> connection.reply("554 5.3.2 no service"));
    upstreams.probe();
    assertEquals(List.of(true, false), up(upstreams));
    second.usual(ScriptedUpstream.CONNECT);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
    assertEquals(List.of(false, true), up(upstreams));
  }

  @Test
  void aClientThatTheServerRefusesTakesNoMailOfOthersAway() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    first.offering("XCLIENT ADDR");
    second.offering("XCLIENT ADDR");
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probe();
    first.on("XCLIENT", "554 5.7.1 banned", "421 4.7.0 too many of you");
    for (int i = 0; i < 2; i++) {
      UpstreamException e = assertThrows(UpstreamException.class, () -> upstreams.open(client()));
      assertEquals(451, e.reply().code());
    }
    assertEquals(List.of(true, true), up(upstreams));
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
  }

  @Test
  void aServerThatRefusesBehindProxyHeadersIsAskedWhetherItRefusesAll() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V2;
    first.behindProxy().on(ScriptedUpstream.CONNECT, "220 hello", "521 5.7.1 banned");
    second.behindProxy();
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probe();
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    upstreams.probeIfDown();
    assertEquals(List.of(true, true), up(upstreams));
    assertEquals(3, first.connections().size(), "the doubt costs one probe");
    upstreams.probeIfDown();
    assertEquals(3, first.connections().size());
    first.always(ScriptedUpstream.CONNECT, connection -> connection.reply("521 5.3.2 going down"));
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    ahead.addAndGet(Duration.ofSeconds(5).toNanos());
    upstreams.probeIfDown();
    assertEquals(List.of(false, true), up(upstreams));
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }

  /** Its own limits are full: five clients shall not send everybody's mail to the stand-in. */
  @Test
  void aGreetingOf421SaysNothingOfTheServer() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probe();
    first.always(ScriptedUpstream.CONNECT, c -> c.reply("421 4.7.0 too many connections"));
    for (int i = 0; i < 2 * UnservedClients.MAX_CLIENTS; i++) {
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
    ahead.addAndGet(UpstreamHealth.LONG_BUSY.toNanos());
    upstreams.probe();
    assertEquals(List.of(false, true), up(upstreams));
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }

  @Test
  void clientsThatTheServerCutsOffForTheirBadRecipientsSayNothingOfIt() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probe();
    for (int i = 0; i < 2 * UnservedClients.MAX_CLIENTS; i++) {
      first.on("RCPT", "250 2.1.5 ok", "550 5.1.1 nobody", "421 4.7.0 too many errors");
      try (UpstreamSession session = upstreams.open(clientOf(i))) {
        assertEquals(250, mailAndRcpt(session).rcpt().code());
        assertEquals(550, session.rcpt(RelayFixture.TO_EVE, RcptParameters.NONE).code());
        UpstreamException e =
            assertThrows(
                UpstreamException.class,
                () -> session.rcpt(RelayFixture.TO_EVE, RcptParameters.NONE));
        assertTrue(e.closedBehindRefusals());
        assertFalse(e.connectionClosed());
      }
    }
    assertEquals(List.of(true, true), up(upstreams));
  }

  @Test
  void probesOfAServerThatStaysDownGrowRarer() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    for (int second = 0; second < 600; second++) {
      upstreams.probeIfDown();
      ahead.addAndGet(Duration.ofSeconds(1).toNanos());
    }
    int probes = first.connections().size();
    // At 0, 5, 15, 35, 75 s and then every minute.
    assertTrue(probes >= 12 && probes <= 15, "probes: " + probes);
    assertEquals(1, second.connections().size(), "one that is up is left alone");
  }

  @Test
  void whatTheFirstRefusesOfTheMailIsItsWordAndNotAskedElsewhere() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    first.on("MAIL", "550 5.7.1 not you").on("RCPT", "550 5.1.1 nobody");
    try (UpstreamSession session = upstreams.open(client())) {
      assertEquals(550, mailAndRcpt(session).mail().code());
    }
    assertEquals(0, second.connections().size());
  }

  @Test
  void aServerThatFailsBehindMailIsNoReasonToAskAnother() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    first.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    try (UpstreamSession session = upstreams.open(client())) {
      UpstreamException e = assertThrows(UpstreamException.class, () -> message(session));
      assertTrue(e.outcomeUnknown());
    }
    assertEquals(0, second.connections().size());
  }

  @Test
  void aFullServerIsNotDown() throws UpstreamException {
    fixture.maxConnections = 1;
    Upstreams upstreams = fixture.to(first, second);
    try (UpstreamSession held = upstreams.open(client())) {
      Thread.currentThread().interrupt();
      UpstreamException e = assertThrows(UpstreamException.class, () -> upstreams.open(client()));
      assertEquals("4.3.2", e.reply().enhanced());
      assertTrue(Thread.interrupted());
      assertFalse(held.usedBefore());
    }
    assertEquals(0, second.connections().size());
  }

  // ---- servers that answer probes and serve nobody

  private static ClientIdentity clientOf(int network) {
    return client("198.51." + network + ".1", "mail.partner.example");
  }

  @Test
  void aServerThatRefusesEachClientOnceItIsNamedIsPassedOver() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    first.offering("XCLIENT ADDR");
    second.offering("XCLIENT ADDR");
    Upstreams upstreams = fixture.to(first, second);
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
    Upstreams upstreams = fixture.to(first, second);
    first.always("MAIL", UpstreamConnection::drop);
    for (int i = 0; i < UnservedClients.MAX_CLIENTS; i++) {
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

  /** What became of a message of this client, which was to fail; empty when it did. */
  private static List<String> unserved(Upstreams upstreams, int network) throws UpstreamException {
    try (UpstreamSession session = upstreams.open(clientOf(network))) {
      message(session);
      return List.of("delivered");
    } catch (UpstreamException e) {
      return e.reply().code() == 451 ? List.of() : List.of(e.reply().toString());
    }
  }

  @Test
  void oneClientThatIsNeverServedSaysNothingOfOthers() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    for (int i = 0; i < 2 * UnservedClients.MAX_CLIENTS; i++) {
      first.on("DATA", UpstreamConnection::drop);
      assertEquals(List.of(), unserved(upstreams, 7));
    }
    assertEquals(List.of(true, false), up(upstreams), "the second was never tried");
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
  }

  @Test
  void whoIsServedInBetweenSpeaksForTheServer() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
    for (int i = 1; i < UnservedClients.MAX_CLIENTS; i++) {
      loseAtFinalDot(upstreams, i);
    }
    deliver(upstreams);
    for (int i = 1; i < UnservedClients.MAX_CLIENTS; i++) {
      loseAtFinalDot(upstreams, i);
    }
    assertTrue(up(upstreams).getFirst());
    try (UpstreamSession envelope = upstreams.open(client())) {
      // A server that still takes envelopes need not take messages.
      assertEquals(250, mailAndRcpt(envelope).rcpt().code());
    }
    loseAtFinalDot(upstreams, 0);
    assertFalse(up(upstreams).getFirst());
  }

  private void loseAtFinalDot(Upstreams upstreams, int network) throws UpstreamException {
    first.on(ScriptedUpstream.FINAL_DOT, UpstreamConnection::drop);
    assertEquals(List.of(), unserved(upstreams, network));
  }

  @Test
  void probesOfAServerThatServesNobodyGrowRarerThoughTheySucceed() throws UpstreamException {
    Upstreams upstreams = fixture.to(first, second);
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
    Upstreams upstreams = fixture.to(first, second);
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

  @Test
  void oneServerThatHangsKeepsNoOtherFromBeingProbed() throws Exception {
    fixture.stepTimeout = Duration.ofSeconds(20);
    fixture.probes = work -> Thread.ofVirtual().start(work);
    CountDownLatch asked = new CountDownLatch(1);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::stall);
    second.on(ScriptedUpstream.CONNECT, connection -> asked.countDown());
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probeIfDown();
    assertTrue(asked.await(10, TimeUnit.SECONDS), "the second waits for the first");
    upstreams.close();
  }

  @Test
  void clientsAreOfferedWhatAllOffer() throws UpstreamException {
    first.offering("8BITMIME", "DSN", "SMTPUTF8", "SIZE 1000");
    second.offering("8BITMIME", "DSN", "SIZE 500");
    Upstreams upstreams = fixture.to(first, second);
    upstreams.probe();
    UpstreamExtensions both = upstreams.lastExtensions();
    assertTrue(both.eightBitMime() && both.dsn() && !both.smtpUtf8());
    assertEquals(500, both.sizeOctets());
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    upstreams.probe();
    // Nothing can go to the second now.
    assertTrue(upstreams.lastExtensions().smtpUtf8());
    assertEquals(1000, upstreams.lastExtensions().sizeOctets());
  }

  @ParameterizedTest
  @CsvSource({"-1, -1, -1", "-1, 0, 0", "0, 70, 70", "80, -1, 80", "80, 70, 70"})
  void theSmallerSizeCounts(long one, long other, long common) {
    assertEquals(common, sized(one).and(sized(other)).sizeOctets());
    assertEquals(common, sized(other).and(sized(one)).sizeOctets());
  }

  private static UpstreamExtensions sized(long octets) {
    String line = octets < 0 ? "HELP" : octets == 0 ? "SIZE" : "SIZE " + octets;
    return UpstreamExtensions.parse(List.of("mx", line));
  }

  // ---- routes

  @Test
  void theNarrowestRouteIsTaken() {
    fixture.routes.put("one.example.com", fixture.settings(second.port()));
    fixture.routes.put(".example.com", fixture.settings(second.port()));
    fixture.routes.put("example.org", fixture.settings(second.port()));
    Upstreams upstreams = fixture.to(first, new ScriptedUpstream[0]);
    Upstream others = upstreams.route("example.net");
    Upstream below = upstreams.route("deep.two.example.com");
    assertSame(below, upstreams.route("example.com"));
    assertNotSame(below, upstreams.route("one.example.com"));
    assertSame(below, upstreams.route("below.one.example.com"));
    assertNotSame(others, upstreams.route("example.org"));
    for (String other : List.of("", "org", "sub.example.org", "myexample.com", "com")) {
      assertSame(others, upstreams.route(other), other);
    }
    assertEquals(
        Set.of("default", "one.example.com", ".example.com", "example.org"),
        upstreams.states().stream().map(Upstreams.Placed::route).collect(Collectors.toSet()));
  }

  @Test
  void eachRouteHasItsServerAndItsHealth() throws UpstreamException {
    fixture.routes.put("example.org", fixture.settings(second.port()));
    Upstreams upstreams = fixture.to(first, new ScriptedUpstream[0]);
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    upstreams.probe();
    assertFalse(upstreams.isUp(), "one route has no server");
    deliver(upstreams.route("example.com"));
    deliver(upstreams.route("example.org"));
    assertTrue(upstreams.isUp());
    assertEquals(1, first.deliveredCount());
    assertEquals(1, second.deliveredCount());
    upstreams.close();
    assertTrue(upstreams.unused());
  }
}
