package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a flood of mail before a server in trouble makes of the log. */
class UpstreamLogTest extends OneServer {

  @BeforeEach
  void clock() {
    fixture.nanoTime = () -> System.nanoTime() + ahead.get();
  }

  /** The text of each refusal is another, as where it names a queue or the client. */
  private void refuseAsManyTimes(int times, Upstream upstream) {
    for (int i = 0; i < times; i++) {
      server.on(ScriptedUpstream.CONNECT, "554 5.3.2 out of service, case " + i);
      assertThrows(UpstreamException.class, () -> upstream.open(client()));
    }
  }

  @Test
  void anOutageIsTellableInFewLinesHoweverItIsWorded() throws UpstreamException {
    Upstream upstream = fixture.to(server);
    try (LogLines log = new LogLines(MailServerHealth.class)) {
      refuseAsManyTimes(30, upstream);
      assertEquals(5, log.warnings().size(), log.warnings().toString());
      ahead.addAndGet(Duration.ofMinutes(1).toNanos());
      refuseAsManyTimes(1, upstream);
      assertEquals(6, log.warnings().size(), log.warnings().toString());
      String last = log.warnings().getLast();
      assertTrue(last.endsWith("case 0 (not logged since the last: 25)"), last);
    }
  }

  /** A server that takes some connections and refuses others is no news with each of them. */
  @Test
  void goingUpAndDownWithEachClientMakesFewLines() throws UpstreamException {
    MailServer upstream = fixture.to(server);
    try (LogLines log = new LogLines(MailServerHealth.class)) {
      for (int i = 0; i < 30; i++) {
        refuseAsManyTimes(1, upstream);
        assertEquals(
            "mail server greeted with 554 5.3.2 out of service, case 0",
            upstream.state().problem());
        upstream.open(client()).close();
        assertTrue(upstream.state().up());
      }
      assertEquals(5, log.warnings().size(), log.warnings().toString());
    }
  }

  @Test
  void clientsThatAreNotServedDoNotFillTheLog() {
    fixture.clientAddress = ClientAddress.XCLIENT;
    server.offering("XCLIENT ADDR");
    server.always(
        "XCLIENT", connection -> connection.reply("550 5.7.0 insufficient authorization"));
    Upstream upstream = fixture.to(server);
    try (LogLines log = new LogLines(MailServerHealth.class)) {
      for (int i = 0; i < 30; i++) {
        assertThrows(UpstreamException.class, () -> upstream.open(client()));
      }
      assertEquals(5, log.warnings().size(), log.warnings().toString());
    }
  }
}
