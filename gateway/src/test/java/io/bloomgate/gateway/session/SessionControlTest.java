package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.wire.WatchedSocket;
import org.junit.jupiter.api.Test;

/** What the watchdog does to a session that is overdue, on a clock that the test moves. */
final class SessionControlTest {

  @Test
  void watchdogClosesAnOldSessionUnlessTheMailServerWorksForIt() throws Exception {
    long[] now = {0};
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
