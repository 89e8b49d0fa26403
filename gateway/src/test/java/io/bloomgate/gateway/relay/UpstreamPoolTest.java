package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.mailAndRcpt;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.Pool;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that serve one client after another. */
class UpstreamPoolTest extends OneServer {

  @BeforeEach
  void keepTen() {
    fixture.pool = new Pool(10, Duration.ofSeconds(10));
    fixture.nanoTime = () -> System.nanoTime() + ahead.get();
  }

  private static void deliver(MailServer upstream, ClientIdentity client) throws UpstreamException {
    try (UpstreamSession session = upstream.open(client)) {
      assertEquals(250, message(session).code());
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ClientAddress.class,
      names = {"AUTO", "XCLIENT"})
  void xclientAndEhloMakeItTheNextClientsOwn(ClientAddress wish) throws UpstreamException {
    fixture.clientAddress = wish;
    server.offering("XCLIENT ADDR HELO");
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    server.offering("XCLIENT ADDR HELO", "DSN");
    try (UpstreamSession session = upstream.open(client("198.51.100.1", ""))) {
      assertTrue(session.extensions().dsn(), "what is offered to the next client counts");
      assertEquals(250, message(session).code());
    }
    assertEquals(1, server.connections().size());
    List<String> commands =
        server.connections().getFirst().commands().stream()
            .filter(line -> line.startsWith("XCLIENT") || line.startsWith("EHLO"))
            .toList();
    assertEquals(
        List.of(
            "EHLO mx.example.com",
            "XCLIENT HELO=mail.partner.example ADDR=203.0.113.7",
            "EHLO mail.partner.example",
            // Every attribute is said again, also the one that is not known.
            "XCLIENT HELO=[UNAVAILABLE] ADDR=198.51.100.1",
            "EHLO mx.example.com"),
        commands);
  }

  @ParameterizedTest
  @EnumSource(
      value = ClientAddress.class,
      names = {"AUTO", "XCLIENT"})
  void whoMaySayXclientNoMoreIsBoundToItsClient(ClientAddress wish) throws UpstreamException {
    fixture.clientAddress = wish;
    server
        .offering("XCLIENT ADDR HELO")
        .on(
            "XCLIENT",
            connection -> {
              server.offering("PIPELINING");
              connection.proceed();
            });
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    assertEquals(0, upstream.state().idleConnections());
    assertEquals("QUIT", server.connections().getFirst().commands().getLast());
  }

  @Test
  void aProxyHeaderNamesOneClientForGood() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V2;
    server.behindProxy();
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    deliver(upstream, client());
    assertEquals(2, server.connections().size());
    assertEquals("QUIT", server.connections().getFirst().commands().getLast());
  }

  @Test
  void aRefusedSecondXclientMeansANewConnection() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    server.offering("XCLIENT ADDR");
    MailServer upstream = fixture.to(server);
    List<UpstreamSession> both =
        List.of(upstream.open(client()), upstream.open(client("192.0.2.1", "one.example")));
    for (UpstreamSession session : both) {
      message(session);
      session.close();
    }
    server.on("XCLIENT", "421 4.7.0 too many");
    deliver(upstream, client("198.51.100.1", "mail.other.example"));
    assertEquals(3, server.connections().size(), "the other one that waited was not trusted");
    server.connections().get(0).awaitEnd();
    server.connections().get(1).awaitEnd();
  }

  /** A connection that looks well, behind which nobody is left; a new one has all the time. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "XFORWARD", "XCLIENT"})
  void aServerThatVanishedIsNotWaitedForLongerThanAConnection(ClientAddress how)
      throws UpstreamException {
    fixture.clientAddress = how;
    fixture.connectTimeout = Duration.ofSeconds(1);
    fixture.stepTimeout = Duration.ofMinutes(10);
    server.offering("PIPELINING", "XFORWARD ADDR", "XCLIENT ADDR");
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    deliver(upstream, client());
    assertEquals(1, server.connections().size());
    String next = how == ClientAddress.NONE ? "MAIL" : how.name();
    server.on(next, UpstreamConnection::stall);
    UpstreamSession session = upstream.open(client());
    if (how == ClientAddress.XCLIENT) {
      assertEquals(250, message(session).code(), "it was replaced at once");
    } else {
      assertThrows(UpstreamException.class, () -> mailAndRcpt(session));
      assertTrue(session.usedBefore(), "so it is replaced");
    }
    session.close();
    deliver(upstream, client());
    assertEquals(2, server.connections().size());
    assertTrue(upstream.state().up());
  }

  @Test
  void resetIsNotWaitedForLongerThanAConnection() throws UpstreamException {
    fixture.connectTimeout = Duration.ofSeconds(1);
    fixture.stepTimeout = Duration.ofMinutes(10);
    server.on("RSET", UpstreamConnection::stall);
    try (UpstreamSession session = fixture.to(server).open(client())) {
      mailAndRcpt(session);
      assertThrows(UpstreamException.class, session::rset);
    }
  }

  @Test
  void goodbyeIsSaidToThoseThatWaitTooLong() throws UpstreamException {
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    ahead.addAndGet(Duration.ofSeconds(9).toNanos());
    upstream.tick();
    assertEquals(1, upstream.state().idleConnections());
    ahead.addAndGet(Duration.ofSeconds(2).toNanos());
    upstream.tick();
    assertEquals(0, upstream.state().idleConnections());
    assertFalse(upstream.unused(), "its 221 is still to come");
    server.connections().getFirst().awaitEnd();
    assertEquals("QUIT", server.connections().getFirst().commands().getLast());
    upstream.tick();
    assertTrue(upstream.unused());
  }

  @Test
  void servesNoMoreThanAHundredMessagesOrFiveMinutes() throws UpstreamException {
    fixture.pool = new Pool(10, Duration.ofMinutes(10));
    MailServer upstream = fixture.to(server);
    for (int i = 0; i < IdleConnections.MAX_TRANSACTIONS + 1; i++) {
      deliver(upstream, client());
    }
    assertEquals(2, server.connections().size());
    ahead.addAndGet(IdleConnections.MAX_AGE_NANOS);
    deliver(upstream, client());
    assertEquals(2, server.connections().size());
    assertEquals(0, upstream.state().idleConnections(), "it was too old to be kept again");
  }

  @Test
  void noMoreAreOpenThanAllowed() throws UpstreamException {
    fixture.maxConnections = 4;
    fixture.pool = new Pool(2, Duration.ofSeconds(10));
    MailServer upstream = fixture.to(server);
    List<UpstreamSession> open = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      open.add(upstream.open(client("198.51." + i + ".1", "mail.partner.example")));
    }
    for (UpstreamSession session : open) {
      message(session);
      session.close();
    }
    assertEquals(2, upstream.state().idleConnections());
    open.clear();
    for (int i = 0; i < 4; i++) {
      open.add(upstream.open(client("198.51." + i + ".1", "mail.partner.example")));
    }
    assertEquals(6, server.connections().size(), "two of the four were kept");
    assertEquals(0, upstream.state().idleConnections());
    open.forEach(UpstreamSession::close);
  }

  @Test
  void whoWantsToSeeTheServerAnswerGetsNoneThatWaited() throws UpstreamException {
    fixture.maxConnections = 1;
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    upstream.openNew(client()).close();
    assertEquals(2, server.connections().size());
    assertEquals(0, upstream.state().idleConnections(), "the one that waited had to make room");
    deliver(upstream, client());
    server.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    assertThrows(UpstreamException.class, () -> upstream.openNew(client()));
    assertEquals(0, upstream.state().connections());
  }

  @Test
  void stoppingSaysGoodbye() throws UpstreamException {
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    upstream.close();
    server.connections().getFirst().awaitEnd();
    assertEquals("QUIT", server.connections().getFirst().commands().getLast());
    assertTrue(upstream.unused());
  }

  @Test
  void afterAReloadTheOldOnesGo() throws UpstreamException {
    MailServer upstream = fixture.to(server);
    deliver(upstream, client());
    UpstreamSession late = upstream.open(client());
    message(late);
    upstream.retire();
    late.close();
    assertEquals(0, upstream.state().idleConnections());
    assertEquals("QUIT", server.connections().getFirst().commands().getLast());
    assertTrue(upstream.unused());
  }

  @Test
  void noMoreConnectionsThanAllowedAndNoneIsLost() throws UpstreamException {
    fixture.maxConnections = 2;
    fixture.permitWait = Duration.ofMillis(50);
    MailServer upstream = fixture.to(server);
    List<UpstreamSession> open = new ArrayList<>();
    open.add(upstream.open(client()));
    open.add(upstream.open(client("198.51.100.1", "mail.other.example")));
    assertEquals(2, upstream.state().connections());
    UpstreamException e = assertThrows(UpstreamException.class, () -> upstream.open(client()));
    assertEquals("4.3.2", e.reply().enhanced());
    assertEquals(1, fixture.refusals.get());
    assertTrue(upstream.probe(), "a full house is no outage");
    open.forEach(UpstreamSession::close);
    open.forEach(UpstreamSession::close);
    // Failures give their permit back too.
    server.on("EHLO", UpstreamConnection::drop, UpstreamConnection::drop, UpstreamConnection::drop);
    for (int i = 0; i < 3; i++) {
      assertThrows(UpstreamException.class, () -> upstream.open(client()));
    }
    assertEquals(0, upstream.state().connections());
    upstream.open(client()).close();
  }
}
