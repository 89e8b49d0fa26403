package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.log.ConnectionEnd;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions with an upstream that takes, refuses and breaks, and the limits on messages. */
final class TransactionTest extends OneGateway {

  /** Mail for a forgotten domain is lost in mode enforce: who looks must see which one it is. */
  @ParameterizedTest
  @EnumSource
  void domainsThatAreNotOursAreCountedInEachMode(Mode mode) throws Exception {
    gateway.mode.set(mode);
    String reply = gateway.connect().upToMail("a@b.example").ask("RCPT TO:<bob@forgotten.example>");
    expect(mode == Mode.ENFORCE ? "554 5.7.1" : "454 4.7.1", reply);
    assertEquals(List.of("forgotten.example"), gateway.telemetry.unknownDomains);
  }

  // ---- each connection has an id, which joins its transactions, and an end

  private static ConnectionEnd end(TestGateway gateway) throws InterruptedException {
    gateway.awaitQuiet();
    assertEquals(1, gateway.telemetry.connections.size());
    return gateway.telemetry.connections.getFirst();
  }

  @Test
  void aClientThatOnlySaysEhloHasAnEnd() throws Exception {
    try (SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("250", client.ask("EHLO quiet.example"));
      expect("221", client.ask("QUIT"));
    }
    ConnectionEnd end = end(gateway);
    assertEquals("127.0.0.1", end.client().toString());
    assertEquals("quiet.example", end.helo());
    assertEquals("quit", end.how());
    assertEquals(0, end.transactions());
    assertEquals(List.of(), gateway.telemetry.decisions);
  }

  @Test
  void itsIdIsInAllRecordsOfItsTransactions() throws Exception {
    try (SmtpClient client = gateway.connect().upToRcpt()) {
      expect("554", client.ask("RCPT TO:<x@other.example>"));
      expect("354", client.ask("DATA"));
      expect("250", client.ask("A: b\r\n\r\nx\r\n."));
      expect("250", client.ask("MAIL FROM:<a@b.example>"));
      expect("501", client.ask("RCPT TO:<>"));
      expect("250", client.ask("RSET"));
      expect("221", client.ask("QUIT"));
    }
    ConnectionEnd end = end(gateway);
    assertEquals(2, end.transactions());
    Set<String> ids =
        Stream.of(
                gateway.telemetry.decisions,
                gateway.telemetry.turnedAway,
                gateway.telemetry.unfinished)
            .flatMap(List::stream)
            .map((DecisionRecord record) -> record.session().connection())
            .collect(Collectors.toSet());
    assertEquals(Set.of(end.id()), ids);
    assertNotEquals("", end.id());
  }

  @Test
  void aClientThatGoesAwayIsLost() throws Exception {
    try (SmtpClient client = gateway.connect()) {
      client.upToRcpt();
    }
    ConnectionEnd end = end(gateway);
    assertEquals("lost", end.how());
    assertEquals(1, end.transactions());
  }

  @Test
  void aLimitThatEndsItIsNamedByItsReply() throws Exception {
    try (TestGateway gateway = TestGateway.limited("command_timeout: 1s")) {
      try (SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
        expect("421 4.4.2", client.reply());
        assertEquals(SmtpClient.END, client.reply());
      }
      ConnectionEnd end = end(gateway);
      assertEquals("cut", end.how());
      assertEquals(Replies.TIMEOUT, end.last());
      assertEquals("", end.helo());
    }
  }
}
