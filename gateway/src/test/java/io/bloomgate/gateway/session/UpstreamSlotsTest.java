package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.session.ScriptedUpstream.KNOWN;
import static io.bloomgate.gateway.session.ScriptedUpstream.NO_SUCH_USER;
import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.UpstreamExtensions;
import io.bloomgate.gateway.relay.UpstreamFaultFixture;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client that takes its time may keep of the upstream: as little as possible. */
final class UpstreamSlotsTest extends OneGateway {

  private static final String MESSAGE = "Subject: hi\r\n\r\nbody\r\n";

  /** Connections to the mail server are given back at the first silence. */
  private ScriptedUpstream impatient() {
    gateway.tended().upstream.idleLimit = Duration.ofMillis(30);
    return gateway.upstream;
  }

  // ---- idle connections

  @Test
  void idleConnectionBetweenMessagesIsClosedAndOpenedAgain() throws Exception {
    impatient();
    SmtpClient client = gateway.connect().upToContent();
    expect("250", client.content(MESSAGE));
    gateway.upstream.awaitClose();
    expect("250", client.ask("MAIL FROM:<later@sender.example>"));
    expect("250", client.ask("RCPT TO:<bob@example.com>"));
    assertEquals(2, gateway.upstream.identities.size());
    assertEquals(
        gateway.upstream.identities.get(0),
        gateway.upstream.identities.get(1),
        "the mail server gets the client's identity again");
  }

  @Test
  void idleTransactionIsAskedForAgainAndDelivered() throws Exception {
    impatient();
    SmtpClient client = gateway.connect().upToRcpt();
    gateway.upstream.awaitClose();
    expect("250", client.ask("RCPT TO:<eve@example.com>"));
    gateway.upstream.awaitClose();
    assertEquals("250 2.0.0 Ok: queued as UPSTREAM", client.message(MESSAGE));
    ScriptedUpstream.Taken taken = gateway.upstream.taken.getFirst();
    assertEquals("alice@sender.example", taken.from());
    assertEquals(List.of("bob@example.com", "eve@example.com"), taken.to());
    assertTrue(taken.content().endsWith(MESSAGE));
  }

  @Test
  void refusedRecipientsAreNotAskedForAgain() throws Exception {
    ScriptedUpstream upstream = impatient().refusing("nobody", NO_SUCH_USER);
    gateway.tended();
    SmtpClient client = gateway.connect().upToMail("alice@sender.example");
    expect("550", client.ask("RCPT TO:<nobody@example.com>"));
    upstream.awaitClose();
    expect("250", client.ask("RCPT TO:<bob@example.com>"));
    upstream.awaitClose();
    expect("250", client.message(MESSAGE));
    assertEquals(List.of("bob@example.com"), upstream.taken.getFirst().to());
    assertEquals(1, upstream.commands.stream().filter("RCPT nobody@example.com"::equals).count());
  }

  /** A mail server whose second connection grants less than the first. */
  @ParameterizedTest
  @ValueSource(strings = {"RCPT", "MAIL", "connection"})
  void whatIsGrantedNoMoreFailsTheWholeMessageForNow(String lacks) throws Exception {
    ScriptedUpstream upstream = gateway.upstream;
    // By the clock of the gateway: the client must find the first one open.
    upstream.idleLimit = Duration.ofSeconds(30);
    BooleanSupplier again = () -> upstream.identities.size() > 1;
    switch (lacks) {
      case "RCPT" ->
          upstream.onRcpt =
              to -> again.getAsBoolean() && to.startsWith("eve") ? NO_SUCH_USER : KNOWN;
      case "MAIL" -> upstream.onMail = _ -> again.getAsBoolean() ? NO_SUCH_USER : KNOWN;
      default ->
          upstream.onOpen =
              () -> {
                if (!upstream.identities.isEmpty()) {
                  throw UpstreamFaultFixture.unreachable();
                }
              };
    }
    gateway.tended();
    SmtpClient client = gateway.connect().upToRcpt();
    client.raw("RCPT TO:<eve@example.com>\r\nDATA\r\n");
    expect("250", client.reply());
    expect("354", client.reply());
    gateway.ahead.addAndGet(Duration.ofSeconds(31).toNanos());
    upstream.awaitClose();
    expect("451 4.", client.content(MESSAGE));
    expect("250", client.ask("NOOP"));
    assertEquals(List.of(), upstream.taken);
    assertFalse(upstream.commands.contains("DATA"));
    assertEquals(List.of("upstream_failed"), gateway.telemetry.outcomes());
    assertEquals(List.of("failed"), gateway.telemetry.downstream);
  }

  @Test
  void anotherConnectionThatLacksWhatMailUsedFailsTheMessageForNow() throws Exception {
    impatient();
    SmtpClient client = gateway.connect().upToEhlo();
    expect("250", client.ask("MAIL FROM:<alice@sender.example> BODY=8BITMIME"));
    expect("250", client.ask("RCPT TO:<bob@example.com>"));
    gateway.upstream.awaitClose();
    gateway.upstream.inHand = UpstreamExtensions.NONE;
    expect("451 4.3.0", client.message(MESSAGE));
  }

  @Test
  void resetAfterAnIdleTransactionStartsOver() throws Exception {
    impatient();
    SmtpClient client = gateway.connect().upToRcpt();
    gateway.upstream.awaitClose();
    expect("250", client.ask("RSET"));
    expect("250", client.ask("MAIL FROM:<other@sender.example>"));
    expect("250", client.ask("RCPT TO:<eve@example.com>"));
    expect("250", client.message(MESSAGE));
    assertEquals(List.of("eve@example.com"), gateway.upstream.taken.getFirst().to());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connectionBetweenMessagesIsGivenToAWaitingClient(boolean waitsBefore) throws Exception {
    gateway.tended();
    SmtpClient client = gateway.connect().upToContent();
    gateway.upstream.awaited.set(waitsBefore ? 1 : 0);
    expect("250", client.content(MESSAGE));
    // The session waits already, or is about to.
    gateway.upstream.awaited.compareAndSet(0, waitsBefore ? 0 : 1);
    gateway.upstream.awaitClose();
    expect("250", client.ask("NOOP"));
  }

  @Test
  void connectionOfAResetTransactionIsGivenToAWaitingClient() throws Exception {
    gateway.tended();
    SmtpClient client = gateway.connect().upToRcpt();
    gateway.upstream.awaited.set(1);
    expect("250", client.ask("NOOP"));
    assertFalse(gateway.upstream.commands.contains("CLOSE"), "it may go on with its message");
    expect("250", client.ask("RSET"));
    gateway.upstream.awaitClose();
  }

  @Test
  void connectionOfARefusedMessageIsGivenToAWaitingClientWhileItsOwnClientGoesOn()
      throws Exception {
    gateway.tended();
    SmtpClient client = gateway.connect().upToContent();
    gateway.upstream.awaited.set(1);
    client.raw("Subject: x\r\n\r\na bare\nline feed\r\n");
    gateway.upstream.awaitClose();
    expect("550 5.5.2", client.content("more\r\n"));
    gateway.upstream.awaited.set(0);
    expect("250", client.ask("MAIL FROM:<alice@sender.example>"));
    expect("250", client.ask("RCPT TO:<bob@example.com>"));
    assertFalse(gateway.upstream.commands.contains("DATA"));
  }

  /** Nothing but the most idle ones, and of these as many as others wait for. */
  @Test
  void connectionInATransactionIsGivenToAWaitingClientAfterAFewSeconds() throws Exception {
    gateway.tended();
    SmtpClient idle = gateway.connect().upToRcpt();
    gateway.ahead.addAndGet(Duration.ofSeconds(3).toNanos());
    try (SmtpClient other = gateway.connect().upToRcpt();
        SmtpClient busy = gateway.connect().upToRcpt()) {
      gateway.ahead.addAndGet(Duration.ofSeconds(2).toNanos());
      expect("250", busy.ask("RCPT TO:<eve@example.com>"));
      gateway.upstream.awaited.set(1);
      gateway.upstream.awaitClose();
      gateway.ahead.addAndGet(Duration.ofSeconds(2).toNanos());
      gateway.upstream.awaited.set(1);
      gateway.upstream.awaitClose();
      assertEquals(3, gateway.upstream.identities.size());
      for (SmtpClient client : List.of(busy, idle, other)) {
        expect("250", client.message(MESSAGE));
      }
      List<ClientIdentity> opened = gateway.upstream.identities;
      assertEquals(opened.subList(0, 2), opened.subList(3, 5), "the longest unused were taken");
      assertEquals(3, gateway.upstream.taken.size());
    }
  }
}
