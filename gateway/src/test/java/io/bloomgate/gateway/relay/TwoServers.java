package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two scripted mail servers, and a clock that a test sets ahead. */
abstract class TwoServers {

  final ScriptedUpstream first = ScriptedUpstream.start();
  final ScriptedUpstream second = ScriptedUpstream.start();
  final RelayFixture fixture = new RelayFixture();
  final AtomicLong ahead = new AtomicLong();

  @BeforeEach
  final void clock() {
    fixture.nanoTime = () -> System.nanoTime() + ahead.get();
  }

  @AfterEach
  final void close() {
    first.close();
    second.close();
  }

  static void deliver(Upstream upstream) throws UpstreamException {
    try (UpstreamSession session = upstream.open(client())) {
      assertEquals(250, message(session).code());
    }
  }

  static List<Boolean> up(MailRoutes upstreams) {
    return upstreams.states().stream().map(placed -> placed.state().up()).toList();
  }
}
