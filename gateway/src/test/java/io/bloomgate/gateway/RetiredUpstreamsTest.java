package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.UpstreamSession;
import io.bloomgate.gateway.relay.XclientMemory;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mail servers of settings that a reload has replaced, while sessions still work with them. */
final class RetiredUpstreamsTest {

  private static final Duration SESSION_TIMEOUT = Duration.ofHours(1);

  private final ScriptedUpstream server = ScriptedUpstream.start();
  private final AtomicLong ahead = new AtomicLong();
  private final RetiredUpstreams retired = new RetiredUpstreams(this::nanoTime);

  @AfterEach
  void close() {
    server.close();
  }

  private long nanoTime() {
    return System.nanoTime() + ahead.get();
  }

  private MailRoutes upstreams() {
    Duration step = Duration.ofSeconds(20);
    return new MailRoutes(
        new Downstream(
            "127.0.0.1",
            server.port(),
            Downstream.Protocol.SMTP,
            Downstream.UpstreamTls.NONE,
            Downstream.ClientAddress.NONE,
            false,
            10,
            new Downstream.Pool(0, step),
            step,
            step,
            step,
            step,
            step,
            List.of(),
            Map.of()),
        "mx.test.example",
        this::nanoTime,
        () -> {},
        XclientMemory.ofProcess(),
        Runnable::run,
        ClientNames.OFF);
  }

  private static ClientIdentity client() {
    IpAddress loopback = IpAddress.of(InetAddress.getLoopbackAddress());
    return new ClientIdentity(loopback, 40_000, "client.example", true, loopback, 25);
  }

  @Test
  void areWatchedWhileASessionMayComeBackToThem() throws Exception {
    MailRoutes upstreams = upstreams();
    retired.add(upstreams, SESSION_TIMEOUT);
    retired.tick();
    // A session that began before the reload has its next message.
    try (UpstreamSession session = upstreams.open(client())) {
      assertFalse(session.usedBefore());
      retired.close();
      server.nextConnection().awaitEnd();
    }
  }

  @Test
  void areForgottenWhenNoSessionCanKnowThemAnyMore() throws Exception {
    MailRoutes upstreams = upstreams();
    retired.add(upstreams, SESSION_TIMEOUT);
    try (UpstreamSession _ = upstreams.open(client())) {
      ahead.addAndGet(SESSION_TIMEOUT.multipliedBy(2).toNanos());
      retired.tick();
      assertEquals(1, retired.count(), "it waits for a verdict");
    }
    retired.tick();
    assertEquals(0, retired.count());
  }
}
