package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every limit with its reply and its counter, and what clients do that have no manners. */
final class LimitsTest {

  private static final String PROXIED = "proxy_protocol: v2, trusted_proxies: [127.0.0.1], ";

  private static final String ANOTHER = "RCPT TO:<another@example.com>";

  /** One client, whose last reply is that of the limit. */
  private interface Client {
    String run(TestGateway gateway) throws Exception;
  }

  private record Case(TestGateway gateway, String reply, Client client) {}

  /**
   * Those of others are in ConnectionPermitsTest, CachedNamesTest, StartTlsTest (TLS records),
   * MailLimitsTest (rates of mail) and PageHttpTest.
   */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_NONE,
      names = {
        "CONTENT",
        "UPSTREAM_CONNECTIONS|NAME_LOOKUPS",
        "TLS_RECORDS",
        "(CLIENT|NETWORK|SENDER_DOMAIN|RECIPIENT)_RATE",
        "PAGE_TOKENS",
        "WHY_QUESTIONS"
      })
  void everyLimitHasItsReplyAndItsCounter(Limit limit) throws Exception {
    Case test = caseOf(limit);
    try (TestGateway gateway = test.gateway()) {
      expect(test.reply(), test.client().run(gateway));
      gateway.registry.drain();
      gateway.awaitQuiet();
      assertEquals(List.of(limit), gateway.telemetry.limits);
      assertTrue(isLogged(gateway, test.reply()), limit + " has no line");
      assertEquals(0, gateway.registry.heldContentOctets());
    }
  }

  private static boolean isLogged(TestGateway gateway, String reply) {
    return Stream.concat(
            gateway.telemetry.decisions.stream(), gateway.telemetry.turnedAway.stream())
        .anyMatch(record -> reply.startsWith(String.valueOf(record.reply().code())));
  }

  private static Case caseOf(Limit limit) throws IOException {
    return switch (limit) {
      case SESSIONS ->
          listener("max_sessions: 1", "421 4.7.0 Too many sessions;", LimitsTest::second);
      case SESSIONS_PER_IP ->
          listener(
              "max_sessions_per_ip: 1",
              "421 4.7.0 Too many sessions from your address;",
              LimitsTest::second);
      case SESSIONS_PER_NETWORK ->
          listener(
              PROXIED + "max_sessions: 8, max_sessions_per_ip: 1",
              "421 4.7.0 Too many sessions from your network;",
              gateway -> lastOf(gateway, "192.0.2.1", "192.0.2.2", "192.0.2.255"));
      case CONNECTION_RATE ->
          listener(
              "connection_rate: 1/m",
              "421 4.7.0 Too many connections from your address;",
              LimitsTest::second);
      case BANNER_DELAY ->
          listener(
              "banner_delay: 30s", "554 5.5.1 ", gateway -> opening(gateway, "EHLO x.example"));
      case NOT_SMTP ->
          limits("errors: 20", "421 4.7.0 ", gateway -> greeted(gateway, "POST / HTTP/1.1"));
      case COMMAND_LINE ->
          limits(
              "command_line_length: 512",
              "500 5.5.2 ",
              gateway -> greeted(gateway, "NOOP " + "x".repeat(600)));
      case COMMAND_TIMEOUT -> timeout("command_timeout: 10s", gateway -> greeted(gateway, ""));
      case DATA_TIMEOUT ->
          timeout("data_timeout: 10s", gateway -> content(gateway, "Subject: half\r\n"));
      case SESSION_TIMEOUT -> timeout("session_timeout: 10s", gateway -> greeted(gateway, ""));
      case MIN_DATA_RATE ->
          new Case(TestGateway.plain(), "421 4.4.2 Content comes too", LimitsTest::slow);
      case ERRORS ->
          limits("errors: 1", "421 4.7.0 Too many err", gateway -> greeted(gateway, "A", "NOOP"));
      case COMMANDS ->
          limits("commands: 1", "421 4.7.0 Too many com", gateway -> greeted(gateway, "NOOP"));
      case RECIPIENTS -> limits("recipients: 1", "452 4.5.3 ", LimitsTest::anotherRecipient);
      case MESSAGE_SIZE ->
          limits(
              "message_size: 1KiB",
              "552 5.3.4 ",
              gateway -> content(gateway, "A: b\r\n\r\n" + "x".repeat(2_000) + "\r\n.\r\n"));
      case HEADER_SIZE ->
          limits(
              "header_size: 1KiB",
              "552 5.3.4 ",
              gateway -> content(gateway, "A: " + "x".repeat(2_000) + "\r\n\r\n.\r\n"));
      case HOPS ->
          limits(
              "hops: 1",
              "554 5.4.6 ",
              gateway -> content(gateway, "Received: x\r\n".repeat(2) + "\r\n.\r\n"));
      case MIME ->
          limits("mime: {depth: 1}", "554 5.6.0 ", gateway -> content(gateway, nested() + ".\r\n"));
      case HELD_CONTENT ->
          new Case(
              TestGateway.holding(20 * 1024),
              "452 4.3.1 ",
              gateway -> content(gateway, "A: " + "x".repeat(60_000) + "\r\n\r\n.\r\n"));
      default -> throw new IllegalArgumentException();
    };
  }

  /** A multipart in a multipart. */
  private static String nested() {
    return """
    Content-Type: multipart/mixed; boundary=a

    --a
    Content-Type: multipart/mixed; boundary=b

    --b

    x
    --b--
    --a--
    """
        .replace("\n", "\r\n");
  }

  private static Case listener(String yaml, String reply, Client client) throws IOException {
    return new Case(new TestGateway(yaml, "", new ScriptedUpstream()), reply, client);
  }

  private static Case limits(String yaml, String reply, Client client) throws IOException {
    return new Case(TestGateway.limited(yaml), reply, client);
  }

  private static Case timeout(String yaml, Client client) throws IOException {
    return new Case(TestGateway.limited(yaml).tickedOnce(), "421 4.4.2 Timeout", client);
  }

  // ---- clients

  private static String second(TestGateway gateway) throws IOException {
    try (SmtpClient one = gateway.connect();
        SmtpClient two = gateway.connect()) {
      // The first of the two is served.
      String first = one.reply();
      return first.startsWith("220") ? two.reply() : first;
    }
  }

  /** The greeting of the last of these clients while the others are there. */
  private static String lastOf(TestGateway gateway, String... addresses) throws IOException {
    List<SmtpClient> clients = new ArrayList<>();
    try {
      String greeting = "";
      for (String address : addresses) {
        SmtpClient client = gateway.connect(address);
        clients.add(client);
        greeting = client.reply();
      }
      return greeting;
    } finally {
      for (SmtpClient client : clients) {
        client.close();
      }
    }
  }

  /** A provider gives one customer more IPv6 networks than there are places. */
  @Test
  void oneNetworkOfIpv6DoesNotFillTheHouse() throws Exception {
    String listener = PROXIED + "max_sessions: 8, max_sessions_per_ip: 1";
    try (TestGateway gateway = new TestGateway(listener, "", new ScriptedUpstream())) {
      String[] oneSite = {"2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1"};
      expect("421 4.7.0 Too many sessions from your network;", lastOf(gateway, oneSite));
      gateway.awaitQuiet();
      String[] neighbours = {"2001:db8:1::1", "2001:db8:2::1", "2001:db8:f::1"};
      expect("421 4.7.0 Too many sessions from your network;", lastOf(gateway, neighbours));
      gateway.awaitQuiet();
      expect("220", lastOf(gateway, "2001:db8:1::1", "2001:db8:2::1", "2001:db8:10::1"));
    }
  }

  private static String opening(TestGateway gateway, String line) throws IOException {
    try (SmtpClient client = gateway.connect()) {
      return client.ask(line);
    }
  }

  /** The reply to the last line after EHLO; to silence where it is empty. */
  private static String greeted(TestGateway gateway, String... lines) throws Exception {
    try (SmtpClient client = gateway.connect().upToEhlo()) {
      String reply = "";
      for (String line : lines) {
        reply = line.isEmpty() ? afterSilence(gateway, client) : client.ask(line);
      }
      return reply;
    }
  }

  private static String afterSilence(TestGateway gateway, SmtpClient client) throws Exception {
    gateway.goRoundUntilEmpty();
    return client.reply();
  }

  private static String content(TestGateway gateway, String text) throws Exception {
    try (SmtpClient client = gateway.connect().upToContent()) {
      client.raw(text);
      return text.endsWith(".\r\n") ? client.reply() : afterSilence(gateway, client);
    }
  }

  private static String anotherRecipient(TestGateway gateway) throws IOException {
    try (SmtpClient client = gateway.connect().upToRcpt()) {
      return client.ask(ANOTHER);
    }
  }

  private static String slow(TestGateway gateway) throws Exception {
    try (SmtpClient client = gateway.connect().upToContent()) {
      return StalledClientsTest.lastWord(gateway, client, () -> client.raw("1"));
    }
  }

  // ---- stages

  private static final String[] DIALOG = {
    "EHLO client.example",
    "MAIL FROM:<a@sender.example>",
    "RCPT TO:<bob@example.com>",
    "DATA",
    "Subject: x",
    "",
    "body"
  };

  /** Slowloris: everything up to a stage, half of a line more, and then nothing. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void silenceIsEndedAtEveryStage(int lines) throws Exception {
    try (TestGateway gateway = TestGateway.limited("command_timeout: 10s").tickedOnce();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      sayUpTo(client, lines);
      client.raw("N");
      gateway.goRoundUntilEmpty();
      expect("421 4.4.2", client.reply());
      assertEquals(SmtpClient.END, client.reply());
      gateway.awaitQuiet();
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
      assertEquals(List.of(), gateway.upstream.taken);
      assertEquals(0, gateway.registry.heldContentOctets());
    }
  }

  private static void sayUpTo(SmtpClient client, int lines) throws IOException {
    for (int i = 0; i < lines; i++) {
      client.raw(DIALOG[i] + "\r\n");
      if (i < 4) {
        assertFalse(client.reply().startsWith("5"));
      }
    }
  }

  /** A client that ends its half of the connection says nothing more, at whatever stage. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void halfOpenConnectionsEnd(int lines) throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      sayUpTo(client, lines);
      client.socket().shutdownOutput();
      assertEquals(SmtpClient.END, client.reply());
      gateway.awaitQuiet();
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }

  /** Connections reset at every stage leave no session, no place and no memory behind. */
  @Test
  void resetsLeaveNothingBehind() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    try (TestGateway gateway =
        new TestGateway("max_sessions_per_ip: 20", "", new ScriptedUpstream())) {
      for (int i = 0; i < 150; i++) {
        SmtpClient client = gateway.connect();
        int lines = random.nextInt(DIALOG.length + 1);
        try {
          for (int line = 0; line < lines; line++) {
            client.raw(DIALOG[line] + "\r\n");
          }
          if (random.nextBoolean() && client.reply().startsWith("421")) {
            gateway.awaitQuiet();
          }
        } catch (SocketException turnedAway) {
          // One session too many heard 421 and was closed while it still wrote.
          gateway.awaitQuiet();
        }
        client.socket().setSoLinger(true, 0);
        client.close();
      }
      gateway.awaitQuiet();
      assertEquals(0, gateway.registry.count(), "seed " + seed);
      assertEquals(0, gateway.telemetry.open.get(), "seed " + seed);
      assertEquals(0, gateway.registry.heldContentOctets(), "seed " + seed);
      assertEquals(List.of(), gateway.upstream.taken, "seed " + seed);
      try (SmtpClient client = gateway.connect()) {
        expect("220", client.reply());
      }
    }
  }

  // ---- doomed messages

  /**
   * Whatever is wrong with an endless message, the mail server's connection is released at once.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bare\nline\r\n", "x"})
  void aDoomedMessageKeepsNoUpstream(String wrong) throws Exception {
    try (TestGateway gateway = TestGateway.limited("message_size: 1MiB");
        SmtpClient client = gateway.connect().upToContent()) {
      String line = "0123456789".repeat(7) + "\r\n";
      // More than is held, so that the upstream is inside DATA.
      client.raw("A: b\r\n\r\n" + line.repeat(5_000));
      client.raw(wrong.equals("x") ? line.repeat(12_000) : wrong);
      gateway.upstream.awaitClose();
      long rest = gateway.registry.heldContentOctets() % (64 * 1024);
      assertTrue(rest < 10 * 1024, "all but the buffer, the reader and a recipient: " + rest);
      client.raw(".\r\n");
      assertTrue(client.reply().startsWith("5"));
      expect("250", client.ask("NOOP"));
      assertEquals(List.of(), gateway.upstream.taken);
    }
  }
}
