package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Where nothing is heard of a server, the next one must not have to wait for its timeouts. */
  @ParameterizedTest
  @ValueSource(strings = {ScriptedUpstream.CONNECT, "EHLO"})
  void whenAllAreDownOneThatIsSilentDoesNotKeepTheNextFromBeingAsked(String step)
      throws UpstreamException {
    fixture.connectTimeout = Duration.ofSeconds(1);
    fixture.stepTimeout = Duration.ofMinutes(10);
    first.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    MailRoutes upstreams = fixture.to(first, second);
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    assertFalse(upstreams.isUp());
    first.always(step, UpstreamConnection::stall);
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }

  /** Behind the last server there is none for which it would be worth to give it up. */
  @Test
  void whenAllAreDownTheLastGetsAllTheTimeOfTheSettings() throws UpstreamException {
    fixture.connectTimeout = Duration.ofSeconds(1);
    RelayFixture hasty = new RelayFixture();
    hasty.stepTimeout = fixture.connectTimeout.multipliedBy(2);
    MailServer gaveUpOn = hasty.to(first);
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    second.on(ScriptedUpstream.CONNECT, UpstreamConnection::drop);
    MailRoutes upstreams = fixture.to(first, second);
    assertThrows(UpstreamException.class, () -> upstreams.open(client()));
    first.always(ScriptedUpstream.CONNECT, UpstreamConnection::stall);
    second.always(
        ScriptedUpstream.CONNECT,
        connection -> {
          // Twice what one before it would get.
          assertThrows(UpstreamException.class, () -> gaveUpOn.open(client()));
          connection.reply("220 upstream.example ESMTP");
        });
    deliver(upstreams);
    assertEquals(1, second.deliveredCount());
  }
}
