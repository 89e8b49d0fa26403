package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed is poisoned with hosts that have sent good mail: twenty are refused, then no more. */
class BreakerStoryTest {

  private static final String RCPT = "RCPT TO:<bob@example.com>";

  @TempDir Path folder;

  private static String host(int network) {
    return "198.18." + network + ".9";
  }

  private static void sendGoodMail(GatewayFixture gateway, int network) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), host(network))) {
      client.reply();
      client.command("EHLO mail.partner.example");
      client.command("MAIL FROM:<m" + network + "@partner.example>");
      client.command(RCPT);
      client.command("DATA");
      String accepted = client.command("Subject: m" + network + "\r\n\r\nbody\r\n.");
      assertTrue(accepted.startsWith("250"), accepted);
      client.command("QUIT");
    }
  }

  private static String rcpt(GatewayFixture gateway, String address) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), address)) {
      client.reply();
      client.command("EHLO mail.partner.example");
      client.command("MAIL FROM:<a@partner.example>");
      return client.command(RCPT);
    }
  }

  /** Good clients, a clean feed, and then the feed as it is told to be. */
  private void poison(GatewayFixture gateway, int good, List<String> feed) throws IOException {
    for (int network = 0; network < good; network++) {
      sendGoodMail(gateway, network);
    }
    gateway.write("feed.txt", feed.toArray(String[]::new));
    assertEquals(
        0, gateway.control(new ControlRequest.FeedsRefresh(List.of(), true, true)).exitCode());
  }

  private void begin() throws IOException {
    Files.writeString(folder.resolve("feed.txt"), "203.0.113.7\n");
  }

  private GatewayFixture gateway(ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%}
              sources:
                drop: {file: FOLDER/feed.txt, format: ips, checks: [client_ip], action: reject}\
            """
                .replace("FOLDER", folder.toString()))
        .start();
  }

  /** The breaker works beside the replies: asks until it has caught up, for a bounded time. */
  private static String rcptOnceTripped(GatewayFixture gateway, String address) throws IOException {
    String reply = rcpt(gateway, address);
    for (int tries = 0; reply.startsWith("554") && tries < 2000; tries++) {
      reply = rcpt(gateway, address);
    }
    return reply;
  }

  @Test
  void theTwentyFirstGoodSenderPassesAndARestartForgetsNothing() throws IOException {
    List<String> poisoned =
        IntStream.range(0, 40).mapToObj(BreakerStoryTest::host).collect(Collectors.toList());
    poisoned.add("203.0.113.7");
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      begin();
      try (GatewayFixture gateway = gateway(upstream)) {
        poison(gateway, 30, poisoned);
        for (int network = 0; network < 20; network++) {
          assertTrue(rcpt(gateway, host(network)).startsWith("554 5.7.1"), "network " + network);
        }
        assertTrue(rcptOnceTripped(gateway, host(20)).startsWith("250"), "the 21st");
        assertTrue(rcpt(gateway, host(39)).startsWith("250"), "one that nobody knew");
        assertTrue(rcpt(gateway, "203.0.113.7").startsWith("554"), "listed before");
        assertTold(gateway);
      }
      try (GatewayFixture gateway = gateway(upstream)) {
        assertTrue(rcpt(gateway, host(21)).startsWith("250"), "after a restart");
        assertEquals(
            0, gateway.control(new ControlRequest.FeedsAccept("drop")).exitCode(), "accepted");
        assertTrue(rcpt(gateway, host(21)).startsWith("554"), "the operator's word");
      }
    }
  }

  private void assertTold(GatewayFixture gateway) throws IOException {
    String status = gateway.control(new ControlRequest.Status()).items().toString();
    assertTrue(status.contains("\"feeds_bad\":[\"drop\"]"), status);
    String shown = gateway.control(new ControlRequest.FeedsShow("drop")).items().toString();
    assertTrue(shown.contains("breaker: the 40 entries new in version 2"), shown);
    String explained =
        gateway
            .control(new ControlRequest.Explain(host(25), null, null, null, null))
            .items()
            .toString();
    assertTrue(explained.contains("\"action\":\"observe\""), explained);
    assertTrue(explained.contains("\"weakness\":\"breaker\""), explained);
    assertTrue(Files.exists(folder.resolve("state/feeds/drop/new/2.json")));
  }

  @Test
  void aFloodFromOneNetworkNeverTrips() throws IOException {
    begin();
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway = gateway(upstream)) {
      poison(gateway, 30, List.of("198.18.3.0/24", "203.0.113.7"));
      for (int host = 1; host <= 200; host++) {
        assertTrue(rcpt(gateway, "198.18.3." + host).startsWith("554 5.7.1"), "host " + host);
      }
      String status = gateway.control(new ControlRequest.Status()).items().toString();
      assertTrue(status.contains("\"feeds_bad\":[]"), status);
    }
  }
}
