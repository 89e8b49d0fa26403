package io.bloomgate.gateway.session;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.wire.HoldingSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that read nothing, or say too little, at the stages where no other test has them. */
final class StalledClientsTest {

  private static final Duration A_MINUTE = Duration.ofSeconds(61);

  /** Sends an octet. */
  interface Drip {
    void fall() throws IOException;
  }

  @Test
  void clientThatReadsNoRepliesIsClosedAndCounted() throws Exception {
    try (TestGateway gateway = TestGateway.limited("commands: 1000000");
        SmtpClient client = new SmtpClient(narrowSocket(gateway)).upToRcpt()) {
      Thread pump =
          Thread.ofVirtual()
              .start(() -> {
                byte[] many = "HELP\r\n".repeat(10_000).getBytes(US_ASCII);
                try {
                  while (true) {
                    client.raw(many);
                  }
                } catch (IOException e) {
                  // The gateway has had enough.
                }
              });
      while (!gateway.registry.awaitEmpty(Duration.ofMillis(20))) {
        if (pump.getState() == Thread.State.WAITING) {
          // Neither side gets on: now time passes.
          gateway.ahead.addAndGet(A_MINUTE.toNanos());
        }
        gateway.registry.tick();
      }
      pump.join();
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
      assertEquals(List.of("abandoned"), gateway.telemetry.outcomes());
      assertTrue(gateway.upstream.commands.contains("CLOSE"));
      assertEquals(0, gateway.telemetry.open.get());
    }
  }

  private static Socket narrowSocket(TestGateway gateway) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(2048);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), gateway.port()));
    return socket;
  }

  /** The octets of one record, of which the session sees nothing before it is whole. */
  @Test
  void contentBelowTheRateIsEndedUnderTls() throws Exception {
    try (TestGateway gateway = underTls();
        HoldingSocket socket = new HoldingSocket(gateway.port());
        SmtpClient client = ThrowawayKey.encrypted(socket).fromGreetingToRcpt()) {
      expect("354", client.ask("DATA"));
      socket.hold();
      client.raw("1".repeat(8_000));
      endsForItsRate(gateway, client, () -> socket.send(1));
    }
  }

  /** Slow messages must not keep a connection that others wait for. */
  @Test
  void slowContentIsEndedWhileOthersWaitForItsConnection() throws Exception {
    ScriptedUpstream upstream = new ScriptedUpstream();
    upstream.crowded = true;
    // 100 octets a minute would be enough.
    try (TestGateway gateway = new TestGateway("", "limits: {min_data_rate: 1/s}", upstream);
        SmtpClient client = gateway.connect().upToContent()) {
      client.raw("Subject: x\r\n\r\n" + "0123456789\r\n".repeat(30_000));
      endsForItsRate(gateway, client, () -> client.raw("1".repeat(100)));
    }
  }

  private static void endsForItsRate(TestGateway gateway, SmtpClient client, Drip drip)
      throws Exception {
    assertEquals(
        "421 4.4.2 Content comes too slowly; closing connection", lastWord(gateway, client, drip));
    client.close();
    gateway.awaitQuiet();
    assertEquals(List.of(Limit.MIN_DATA_RATE), gateway.telemetry.limits);
    assertEquals(List.of("abandoned"), gateway.telemetry.outcomes());
    assertEquals(List.of(), gateway.upstream.taken);
  }

  @Test
  void chunkBelowTheRateIsEnded() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      expect("502", client.ask("BDAT 1000000 LAST"));
      expect(
          "421 4.4.2 Content comes too slowly", lastWord(gateway, client, () -> client.raw("1")));
      assertEquals(List.of(Limit.MIN_DATA_RATE), gateway.telemetry.limits);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void commandThatNeverEndsIsEnded(boolean encrypted) throws Exception {
    try (TestGateway gateway = underTls()) {
      try (HoldingSocket socket = new HoldingSocket(gateway.port());
          SmtpClient client =
              encrypted ? ThrowawayKey.encrypted(socket) : new SmtpClient(socket).upToEhlo()) {
        socket.hold();
        client.raw("NOOP " + "1".repeat(1_000));
        expect("421 4.4.2", lastWord(gateway, client, () -> socket.send(1)));
      }
      gateway.awaitQuiet();
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
    }
  }

  private static TestGateway underTls() throws Exception {
    return TestGateway.underTls("tls: starttls", "", new ScriptedUpstream());
  }

  @Test
  void proxyHeaderThatNeverEndsIsClosedAndCounted() throws Exception {
    try (TestGateway gateway =
            new TestGateway(
                "proxy_protocol: both, trusted_proxies: [127.0.0.0/8]",
                "",
                new ScriptedUpstream());
        SmtpClient client = gateway.connect()) {
      client.raw("PROXY TCP4 ");
      assertEquals(SmtpClient.END, lastWord(gateway, client, () -> client.raw("1")));
      gateway.awaitQuiet();
      assertEquals(List.of(Limit.COMMAND_TIMEOUT), gateway.telemetry.limits);
    }
  }

  /** A chunk that is dropped, and a handshake: octets of them bring nobody further. */
  @ParameterizedTest
  @CsvSource({"BDAT 999999999, 502, 1", "STARTTLS, 220, \u0016\u0003\u0001\u0001"})
  @Timeout(60)
  void sessionsThatTrickleBehindACommandGiveWay(String command, String code, String octets)
      throws Exception {
    List<SmtpClient> strangers = new ArrayList<>();
    try (TestGateway gateway =
        TestGateway.underTls(
            "proxy_protocol: v2, trusted_proxies: [127.0.0.1], max_sessions: 20, tls: starttls",
            "",
            new ScriptedUpstream())) {
      gateway.registry.watchdog().round(); // its waits have no timeout, as in a whole gateway
      for (int i = 0; i < 20; i++) {
        SmtpClient stranger = gateway.connect("198.51." + i % 4 + "." + i).upToEhlo();
        strangers.add(stranger);
        expect(code, stranger.ask(command));
        stranger.raw(octets);
      }
      // Eight seconds in steps so short that each octet is read long before the next second.
      for (int step = 0; step < 400; step++) {
        gateway.ahead.addAndGet(Duration.ofMillis(20).toNanos());
        for (SmtpClient each : strangers) {
          try {
            each.raw("1");
          } catch (IOException e) {
            // It had to go.
          }
        }
        gateway.registry.tick();
      }
      while (gateway.registry.count() > 18) {
        var _ = gateway.registry.awaitEmpty(Duration.ofMillis(20)); // they are on their way out
      }
    }
  }

  /** What comes behind the last reply is read for a moment in all, and not for one an octet. */
  @Test
  void octetsBehindTheEndKeepNoSession() throws Exception {
    try (TestGateway gateway = TestGateway.plain();
        SmtpClient client = gateway.connect()) {
      expect("220", client.reply());
      client.raw("QUIT\r\n1");
      expect("221", client.reply());
      while (!gateway.registry.awaitEmpty(Duration.ofMillis(20))) {
        gateway.ahead.addAndGet(Duration.ofMillis(100).toNanos());
        try {
          client.raw("1");
        } catch (IOException e) {
          // The gateway has closed.
        }
      }
    }
  }

  /** The next reply to a client that sends an octet a minute. */
  static String lastWord(TestGateway gateway, SmtpClient client, Drip drip)
      throws IOException, InterruptedException {
    CountDownLatch heard = new CountDownLatch(1);
    Thread dripping =
        Thread.ofVirtual()
            .start(() -> {
              try {
                while (!heard.await(20, TimeUnit.MILLISECONDS)) {
                  gateway.ahead.addAndGet(A_MINUTE.toNanos());
                  drip.fall();
                }
              } catch (IOException | InterruptedException e) {
                // The gateway has closed.
              }
            });
    String reply = client.reply();
    heard.countDown();
    dripping.join();
    return reply;
  }
}
