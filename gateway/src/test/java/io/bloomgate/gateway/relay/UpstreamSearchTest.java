package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The servers of a route when all of them are down. */
class UpstreamSearchTest extends TwoServers {

  @Test
  void whenAllAreDownTheFirstIsTriedSoThatMailEndsTheOutage() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop, UpstreamConnection::drop);
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertFalse(upstreams.isUp());
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    deliver(upstreams);
    assertEquals(1, first.deliveredCount());
    assertTrue(upstreams.isUp());
  }

  @Test
  void whenAllAreDownTheOthersAreTriedBehindTheFirst() throws UpstreamException {
    MailRoutes upstreams = fixture.to(first, second);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, "554 5.3.2 not in service");
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertFalse(upstreams.isUp());
    deliver(upstreams);
    assertEquals(1, second.deliveredCount(), "one bad moment of the second is no outage");
    assertEquals(List.of(false, true), up(upstreams));
  }
}
