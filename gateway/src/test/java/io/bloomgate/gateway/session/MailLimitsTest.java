package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much mail may come: each rate with its reply, its counter and its line in the log. */
final class MailLimitsTest {

  private static final String PROXIES = "proxy_protocol: v2, trusted_proxies: [127.0.0.1]";
  private static final String ONE = "MAIL FROM:<a@one.example>";
  private static final String TWO = "MAIL FROM:<a@two.example>";
  private static final String BOB = "RCPT TO:<bob@example.com>";

  private static TestGateway gateway(String rates) throws IOException {
    return new TestGateway("", "rates: {" + rates + "}", new ScriptedUpstream());
  }

  /** The reply to the last line after EHLO. */
  private static String last(TestGateway gateway, String... lines) throws IOException {
    try (SmtpClient client = gateway.connect().upToEhlo()) {
      String reply = "";
      for (String line : lines) {
        reply = client.ask(line);
      }
      return reply;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "client, CLIENT_RATE, 451 4.7.1 Too much mail from your address; try again later",
    "network, NETWORK_RATE, 451 4.7.1 Too much mail from your network; try again later"
  })
  void theSecondMailOfTheHourIsPutOff(String key, Limit limit, String reply) throws Exception {
    try (TestGateway gateway = gateway(key + ": 1/h")) {
      expect("250", last(gateway, ONE));
      expect(reply, last(gateway, TWO));
      gateway.awaitQuiet();
      assertEquals(List.of(limit), gateway.telemetry.limits);
      assertEquals(
          List.of(451),
          gateway.telemetry.turnedAway.stream().map(record -> record.reply().code()).toList());
    }
  }

  /** The reply to a RCPT from this address. */
  private static String from(TestGateway gateway, String address, String mail, String rcpt)
      throws IOException {
    try (SmtpClient client = gateway.connect(address).upToEhlo()) {
      expect("250", client.ask(mail));
      return client.ask(rcpt);
    }
  }

  /** A stranger who names a mailbox or a domain, and delivers nothing, must not stop its mail. */
  @ParameterizedTest
  @CsvSource({
    "recipient, 451 4.7.1 Too much mail for this recipient;",
    "sender_domain, 451 4.7.1 Too much mail from this sender's domain;"
  })
  void oneNetworkUsesNoMoreThanAQuarter(String key, String reply) throws Exception {
    String rates = "rates: {" + key + ": 8/h}";
    try (TestGateway gateway = new TestGateway(PROXIES, rates, new ScriptedUpstream())) {
      for (int network = 0; network < 4; network++) {
        String address = "203.0." + network + ".";
        expect("250", from(gateway, address + 1, ONE, BOB));
        expect("250", from(gateway, address + 2, ONE, BOB));
        expect(reply, from(gateway, address + 3, ONE, BOB));
      }
      expect(reply, from(gateway, "198.51.100.7", ONE, BOB));
      gateway.ahead.addAndGet(Duration.ofMinutes(8).toNanos());
      expect(reply, from(gateway, "203.0.0.1", ONE, BOB));
      expect("250", from(gateway, "198.51.100.7", ONE, BOB));
      gateway.ahead.addAndGet(Duration.ofMinutes(23).toNanos());
      expect("250", from(gateway, "203.0.0.1", ONE, BOB));
    }
  }

  /** One that is put off by one rate takes nothing from another. */
  @Test
  void whatIsPutOffIsNotCounted() throws Exception {
    try (TestGateway gateway = gateway("client: 2/h, network: 1/h")) {
      expect("250", last(gateway, ONE));
      expect("451 4.7.1 Too much mail from your network;", last(gateway, ONE));
      expect("451 4.7.1 Too much mail from your network;", last(gateway, ONE));
    }
  }

  /** What the log says of each that was turned away: stage, sender and recipients. */
  private static List<String> turnedAway(TestGateway gateway) throws InterruptedException {
    gateway.awaitQuiet();
    return gateway.telemetry.turnedAway.stream()
        .map(record -> record.stage() + " from=" + record.from() + " to=" + record.to())
        .toList();
  }

  @Test
  void theRecordOfWhatIsTurnedAwayHasStageSenderAndRecipient() throws Exception {
    try (TestGateway gateway = gateway("client: 1/h")) {
      expect("250", last(gateway, ONE));
      expect("451", last(gateway, TWO));
      expect("553 5.6.7", last(gateway, "MAIL FROM:<b\u00c3\u00bccher@one.example>"));
      expect("501", last(gateway, "MAIL FROM:<nothing"));
      assertEquals(
          List.of(
              "MAIL from=a@two.example to=[]",
              "MAIL from=b\u00fccher@one.example to=[]",
              "MAIL from=null to=[]"),
          turnedAway(gateway));
    }
    try (TestGateway gateway = gateway("recipient: 1/h")) {
      expect("250", last(gateway, ONE, BOB));
      expect("451", last(gateway, TWO, BOB));
      assertEquals(List.of("RCPT from=a@two.example to=[bob@example.com]"), turnedAway(gateway));
    }
  }
}
