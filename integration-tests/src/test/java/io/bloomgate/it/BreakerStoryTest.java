package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed is poisoned with hosts that have sent good mail: not one of their mails is refused. */
class BreakerStoryTest {

  private static final String OLD = "203.0.113.7";

  @TempDir Path folder;

  private static String host(int network) {
    return "198.18." + network + ".9";
  }

  private static void sendGoodMail(GatewayFixture gateway, int network) throws IOException {
    String from = "m" + network + "@partner.example";
    SmtpClient.expect("250", gateway.send(host(network), from, "Subject: m\r\n\r\nbody\r\n"));
  }

  private GatewayFixture gateway(ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%, known_after: 0}
              sources:
                drop: {file: FOLDER/feed.txt, format: lines, checks: [client_ip, sender_domain],
                  action: reject}\
            """
                .replace("FOLDER", folder.toString()))
        .start();
  }

  /** Good clients; who they are is on disk when the gateway has ended. */
  private void begin(ScriptedUpstream upstream, int good) throws IOException {
    Files.writeString(folder.resolve("feed.txt"), OLD + "\n");
    try (GatewayFixture gateway = gateway(upstream)) {
      for (int network = 0; network < good; network++) {
        sendGoodMail(gateway, network);
      }
    }
  }

  @Test
  void noGoodSenderIsRefusedAndARestartForgetsNothing() throws IOException {
    List<String> poisoned =
        IntStream.range(0, 40).mapToObj(BreakerStoryTest::host).collect(Collectors.toList());
    poisoned.add(OLD);
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      begin(upstream, 30);
      try (GatewayFixture gateway = gateway(upstream)) {
        gateway.write("feed.txt", poisoned.toArray(String[]::new));
        gateway.refresh();
        for (int network = 0; network < 30; network++) {
          assertTrue(
              gateway.rcpt(host(network), "a@partner.example").startsWith("250"),
              "network " + network);
        }
        assertTrue(
            gateway.rcpt(host(39), "a@partner.example").startsWith("554"), "one that nobody knew");
        assertTrue(gateway.rcpt(OLD, "a@partner.example").startsWith("554"), "listed before");
        assertReported(gateway);
      }
      try (GatewayFixture gateway = gateway(upstream)) {
        assertTrue(
            gateway.rcpt(host(21), "a@partner.example").startsWith("250"), "after a restart");
        assertNoted(gateway);
        assertEquals(
            0,
            gateway.control(new ControlRequest.FeedsAccept("drop", false)).exitCode(),
            "accepted");
        assertTrue(
            gateway.rcpt(host(21), "a@partner.example").startsWith("554"), "the operator's word");
      }
    }
  }

  /** Who has seen the alarm says so, and nothing is let through. */
  private static void assertNoted(GatewayFixture gateway) throws IOException {
    assertEquals(0, gateway.control(new ControlRequest.FeedsAccept("drop", true)).exitCode());
    String status = gateway.control(new ControlRequest.Status()).json();
    assertTrue(status.contains("\"feeds_bad\":[]"), status);
    assertTrue(status.contains("breaker: new entries hit 30 client"), status);
    assertTrue(status.contains("noted by "), status);
    assertTrue(gateway.rcpt(host(21), "a@partner.example").startsWith("250"), "still held back");
  }

  private static void assertReported(GatewayFixture gateway) throws IOException {
    String status = gateway.control(new ControlRequest.Status()).json();
    assertTrue(status.contains("\"feeds_bad\":[\"drop\"]"), status);
    assertTrue(status.contains("\"feed drop: breaker: new entries hit 30 client"), status);
    String shown = gateway.control(new ControlRequest.FeedsShow("drop")).json();
    assertTrue(shown.contains("breaker: new entries hit 30 client networks"), shown);
    assertTrue(shown.contains("\"network\":\"198.18.7.0/24\""), shown);
    assertTrue(shown.contains("30 held back: lists good senders"), shown);
  }

  /** Anyone can forge a name: that many good networks use one that is newly listed says nothing. */
  @Test
  void aForgedSenderNameTripsNothing() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      begin(upstream, 30);
      try (GatewayFixture gateway = gateway(upstream)) {
        gateway.write("feed.txt", OLD, "198.18.77.9", "forged.example");
        gateway.refresh();
        for (int network = 0; network < 30; network++) {
          assertTrue(gateway.rcpt(host(network), "a@forged.example").startsWith("554"));
        }
        assertTrue(
            gateway.rcpt("198.18.77.9", "a@partner.example").startsWith("554"),
            "as new as the name");
        assertTrue(gateway.rcpt(host(3), "b@forged.example").startsWith("554"));
        String status = gateway.control(new ControlRequest.Status()).json();
        assertTrue(status.contains("\"feeds_bad\":[]"), status);
      }
    }
  }
}
