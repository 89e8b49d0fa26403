package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many connections to an upstream are open at a time, of all clients and of one network. */
class ConnectionLimitsTest extends OneServer {

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
