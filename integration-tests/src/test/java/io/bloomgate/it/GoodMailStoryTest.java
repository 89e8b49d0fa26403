package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Entries that would refuse networks that delivered mail wait for the operator; the rest counts.
 */
class GoodMailStoryTest {

  private static final String OLD = "45.66.200.7";

  @TempDir Path folder;

  private static String host(int network) {
    return "45.66." + network + ".9";
  }

  private GatewayFixture gateway(ScriptedUpstream upstream) {
    return GatewayFixture.in(folder, upstream.port())
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%, breaker: none,
                known_after: 0}
              sources:
                drop: {file: FOLDER/drop.txt, format: lines, checks: [client_ip], action: reject}\
            """
                .replace("FOLDER", folder.toString()))
        .start();
  }

  private static void list(GatewayFixture gateway, String... lines) throws IOException {
    gateway.write("drop.txt", lines);
    gateway.refresh("drop");
  }

  private static String[] poisoned(int networks) {
    return IntStream.rangeClosed(0, networks)
        .mapToObj(i -> i == networks ? OLD : host(i))
        .toArray(String[]::new);
  }

  @Test
  void mailPassesUntilTheOperatorAcceptsTheEntries() throws IOException {
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      try (GatewayFixture gateway = gateway(upstream)) {
        list(gateway, OLD);
        for (int network = 0; network < 6; network++) {
          String from = "m@p" + network + ".example";
          SmtpClient.expect("250", gateway.send(host(network), from, "Subject: m\r\n\r\nx\r\n"));
        }
      }
      // A running gateway notes accepted mail within a quarter of a second; a stopped one has noted
      // it.
      try (GatewayFixture gateway = gateway(upstream)) {
        list(gateway, OLD);
        list(gateway, poisoned(6));
        assertHeld(gateway);
        list(gateway, poisoned(5));
        assertTrue(
            gateway.rcpt(host(0), "a@partner.example").startsWith("554"), "five are not too many");
        list(gateway, OLD);
        list(gateway, poisoned(6));
        assertTrue(gateway.rcpt(host(0), "a@partner.example").startsWith("250"), "held again");
        assertEquals(0, gateway.control(new ControlRequest.FeedsAccept("drop", false)).exitCode());
        assertTrue(
            gateway.rcpt(host(0), "a@partner.example").startsWith("554"), "the operator decides");
      }
    }
  }

  private static void assertHeld(GatewayFixture gateway) throws IOException {
    for (int network = 0; network < 6; network++) {
      assertTrue(
          gateway.rcpt(host(network), "a@partner.example").startsWith("250"), "network " + network);
    }
    assertTrue(
        gateway.rcpt(OLD, "a@partner.example").startsWith("554"),
        "the rest of the version is live");
    String shown = gateway.control(new ControlRequest.FeedsShow("drop")).json();
    assertTrue(shown.contains("\"state\":\"fresh\""), shown);
    assertTrue(shown.contains("new entries hit 6 client networks of good senders"), shown);
    assertTrue(shown.contains("\"network\":\"45.66.5.0/24\",\"entry\":\"45.66.5.9\""), shown);
  }
}
