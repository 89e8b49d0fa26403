package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several servers: which one is whose backup, and which mail goes where. */
class MailRoutesTest extends TwoServers {

  // ---- failover

  @ParameterizedTest
  @ValueSource(strings = {"554 5.3.2 no service here", "what?", ""})
  void aServerThatIsDownIsPassedOverUntilAProbeFindsItWell(String greeting)
      throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
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

  /** The next probe of a backup server may be a minute away; mail need not wait for it. */
  @Test
  void aBackupThatCameBackServesAtOnceWhenTheFirstFails() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    second.always(ScriptedUpstream.CONNECT, connection -> connection.reply("554 5.3.2 no service"));
    upstreams.probe();
    assertEquals(List.of(true, false), up(upstreams));
    second.usual(ScriptedUpstream.CONNECT);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
    assertEquals(List.of(false, true), up(upstreams));
  }

  /** Else a mail waits for the time limits of all of them, longer than its sender does. */
  @Test
  void behindASilentServerNoneIsTriedThatIsKnownToBeDown() {
    fixture.stepTimeout = Duration.ofMillis(200);
    MailRoutes upstreams = fixture.to(first, second);
    first.always(ScriptedUpstream.CONNECT, _ -> {});
    second.always(ScriptedUpstream.CONNECT, _ -> {});
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertEquals(List.of(false, false), up(upstreams));
    assertEquals(1, second.connections().size(), "nobody knew that it was down");
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertEquals(2, first.connections().size());
    assertEquals(1, second.connections().size());
  }

  @Test
  void aClientThatTheServerRefusesTakesNoMailOfOthersAway() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    first.offering("XCLIENT ADDR");
    second.offering("XCLIENT ADDR");
    MailRoutes upstreams = fixture.to(first, second);
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
    MailRoutes upstreams = fixture.to(first, second);
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

  @Test
  void probesOfAServerThatStaysDownGrowRarer() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
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
  void aMailRefusedByTheFirstServerIsNotOfferedToTheNext() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.on("MAIL", "550 5.7.1 not you").on("RCPT", "550 5.1.1 nobody");
    try (UpstreamSession session = upstreams.open(client())) {
      assertEquals(550, mailAndRcpt(session).code());
    }
    assertEquals(0, second.connections().size());
  }

  @Test
  void aFullServerIsNotDown() throws UpstreamException {
    fixture.maxConnections = 1;
    MailRoutes upstreams = fixture.to(first, second);
    try (UpstreamSession held = upstreams.open(client())) {
      Thread.currentThread().interrupt();
      UpstreamException e = assertThrows(UpstreamException.class, () -> upstreams.open(client()));
      assertEquals("4.3.2", e.reply().enhanced());
      assertTrue(Thread.interrupted());
      assertFalse(held.usedBefore());
    }
    assertEquals(0, second.connections().size());
  }

  @Test
  void oneServerThatHangsKeepsNoOtherFromBeingProbed() throws Exception {
    fixture.stepTimeout = Duration.ofSeconds(20);
    fixture.probes = work -> Thread.ofVirtual().start(work);
    CountDownLatch asked = new CountDownLatch(1);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::stall);
    second.on(ScriptedUpstream.CONNECT, connection -> asked.countDown());
    MailRoutes upstreams = fixture.to(first, second);
    upstreams.probeIfDown();
    assertTrue(asked.await(60, TimeUnit.SECONDS), "the second waits for the first");
    upstreams.close();
  }

  @Test
  void clientsAreOfferedWhatAllOffer() throws UpstreamException {
    first.offering("8BITMIME", "DSN", "SMTPUTF8", "SIZE 1000");
    second.offering("8BITMIME", "DSN", "SIZE 500");
    MailRoutes upstreams = fixture.to(first, second);
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
    MailRoutes upstreams = fixture.to(first, new ScriptedUpstream[0]);
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
        upstreams.states().stream().map(MailRoutes.Placed::route).collect(Collectors.toSet()));
  }

  @Test
  void eachRouteHasItsServerAndItsHealth() throws UpstreamException {
    fixture.routes.put("example.org", fixture.settings(second.port()));
    MailRoutes upstreams = fixture.to(first, new ScriptedUpstream[0]);
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
