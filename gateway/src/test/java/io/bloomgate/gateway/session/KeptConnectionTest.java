package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.session.KeptConnection.State;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a connection is taken from a client for those that wait, on a clock that the test moves. */
final class KeptConnectionTest {

  private static final ClientIdentity IDENTITY =
      new ClientIdentity(IpAddress.ofV4(1), 40_000, "c.example", true, IpAddress.ofV4(2), 25);

  private final long[] now = {0};
  private final ScriptedUpstream upstream = new ScriptedUpstream();
  private final KeptConnection kept = new KeptConnection(upstream, () -> now[0]);

  private void seconds(int seconds) {
    now[0] += Duration.ofSeconds(seconds).toNanos();
  }

  /** The client is waited for, and says something that the mail server answers. */
  private void speaksAfter(int seconds) {
    kept.waitBegins();
    seconds(seconds);
    kept.waitEnds();
    kept.used();
  }

  @Test
  void aClientThatSpeaksAgainAndAgainHasNoMoreTimeThanOneThatIsSilent() throws Exception {
    upstream.awaited.set(1);
    kept.openFor(IDENTITY);
    kept.enters(State.IN_TRANSACTION);
    speaksAfter(2);
    kept.waitBegins();
    assertNull(kept.reclaim(0), "after 2 s");
    seconds(1);
    assertNull(kept.reclaim(1), "who waits is served by another");
    assertNotNull(kept.reclaim(0), "after 3 s");
  }

  @Test
  void theTimeOfTheMailServerIsNotTheClients() throws Exception {
    upstream.awaited.set(1);
    kept.openFor(IDENTITY);
    kept.enters(State.IN_TRANSACTION);
    seconds(30);
    kept.used();
    kept.waitBegins();
    assertNull(kept.reclaim(0));
    assertEquals(0, kept.clientNanos());
  }

  @Test
  void eachMessageHasItsTime() throws Exception {
    upstream.awaited.set(1);
    kept.openFor(IDENTITY);
    kept.enters(State.IN_TRANSACTION);
    speaksAfter(2);
    kept.enters(State.IN_CONTENT);
    kept.enters(State.CLEAN);
    kept.enters(State.IN_TRANSACTION);
    speaksAfter(2);
    kept.waitBegins();
    assertNull(kept.reclaim(0));
  }

  @Test
  void watchdogClosesAnOldSessionUnlessTheMailServerWorksForIt() throws Exception {
    SessionRegistry registry = new SessionRegistry(() -> now[0], Runnable::run, () -> 0);
    try (WatchedSocket socket = new WatchedSocket(() -> now[0], registry.watchdog())) {
      SessionControl control =
          new SessionControl(socket, Thread.currentThread(), 100, registry.pressure());
      registry.enter(control);
      control.awaitsUpstream(true);
      now[0] = 60_000_000_000L;
      registry.tick();
      assertFalse(socket.isClosed());
      control.awaitsUpstream(false);
      registry.tick();
      assertTrue(socket.isClosed());
      assertEquals(Limit.SESSION_TIMEOUT, control.closedFor());
    }
  }
}
