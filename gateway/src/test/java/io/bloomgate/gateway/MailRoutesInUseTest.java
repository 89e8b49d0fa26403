package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.LiveSettings.MailRoutesInUse;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.testkit.LoopbackServer;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mail servers of settings that a reload has replaced, while sessions still work with them. */
final class MailRoutesInUseTest {

  private static final Duration SESSION_TIMEOUT = Duration.ofHours(1);

  private final ScriptedUpstream server = ScriptedUpstream.start();
  private final AtomicLong ahead = new AtomicLong();

  @AfterEach
  void close() {
    server.close();
  }

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  private MailRoutes upstreams() {
    return LoopbackServer.at(server.port())
        .connections(10)
        .idle(0, Duration.ofSeconds(20))
        .mailRoutes(this::nanoTime);
  }

  private static ClientIdentity client() {
    IpAddress loopback = IpAddress.of(InetAddress.getLoopbackAddress());
    return new ClientIdentity(loopback, 40_000, "client.example", true, loopback, 25);
  }

  @Test
  void retiredRoutesAreWatchedWhileASessionMayNeedThem() throws Exception {
    MailRoutes first = upstreams();
    MailRoutesInUse routes = new MailRoutesInUse(first, this::nanoTime);
    MailRoutes second = upstreams();
    routes.replace(second, SESSION_TIMEOUT);
    assertSame(second, routes.current());
    routes.tick();
    // A session that began before the reload has its next message.
    try (UpstreamSession session = first.open(client())) {
      assertFalse(session.usedBefore());
      routes.close();
      server.nextConnection().awaitEnd();
    }
  }

  @Test
  void retiredRoutesAreForgottenWhenNoSessionCanUseThemAnyMore() throws Exception {
    MailRoutes first = upstreams();
    MailRoutesInUse routes = new MailRoutesInUse(first, this::nanoTime);
    routes.replace(upstreams(), SESSION_TIMEOUT);
    try (UpstreamSession _ = first.open(client())) {
      ahead.addAndGet(SESSION_TIMEOUT.multipliedBy(2).toNanos());
      routes.tick();
      assertEquals(1, routes.retired(), "it waits for a verdict");
    }
    routes.tick();
    assertEquals(0, routes.retired());
  }
}
