package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the watchdog does to a session that is overdue, on a clock that the test moves. */
final class SessionControlTest {

  @Test
  void watchdogClosesAClientThatTakesNoReplies() throws Exception {
    long[] now = {0};
    SessionRegistry registry = new SessionRegistry(() -> now[0], Runnable::run, () -> 0);
    WatchedSocket[] socket = new WatchedSocket[1];
    List<Boolean> closed = new ArrayList<>();
    OutputStream slow =
        new OutputStream() {
          @Override
          public void write(int octet) {
            for (long time : new long[] {5, 6}) {
              now[0] = time;
              registry.tick();
              closed.add(socket[0].isClosed());
            }
          }
        };
    socket[0] =
        new WatchedSocket(() -> now[0], registry.watchdog()) {
          @Override
          protected OutputStream rawOutput() {
            return slow;
          }
        };
    SessionControl control =
        new SessionControl(
            socket[0], Thread.currentThread(), 1000_000_000_000L, registry.pressure());
    registry.enter(control);
    socket[0].until(5);
    socket[0].getOutputStream().write('2');
    assertEquals(List.of(false, true), closed);
    assertEquals(Limit.COMMAND_TIMEOUT, control.closedFor());
  }

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
