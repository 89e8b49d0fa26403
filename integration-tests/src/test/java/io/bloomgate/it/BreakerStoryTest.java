package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.senders.KnownSenders;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A feed is poisoned with hosts that have sent good mail: not one of their mails is refused until
 * the operator decides. A rule can spare senders that are known.
 */
class BreakerStoryTest extends Story {

  private static final String OLD = "203.0.113.7";
  private static final String KNOWN = "198.51.100.9";

  private static String host(int network) {
    return "198.18." + network + ".9";
  }

  private void sendGoodMail(int network) throws IOException {
    String from = "m" + network + "@partner.example";
    SmtpClient.expect("250", gateway.send(host(network), from, "Subject: m\r\n\r\nbody\r\n"));
  }

  private void start() {
    gateway
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%, max_growth: 100000%, known_after: 0}
              sources:
                drop: {file: FOLDER/feed.txt, format: lines, checks: [client_ip, sender_domain],
                  action: reject}\
            """)
        .start();
  }

  /** Good clients; who they are is on disk when the gateway has ended. */
  private void begin(int good) throws IOException {
    Files.writeString(folder.resolve("feed.txt"), OLD + "\n");
    start();
    for (int network = 0; network < good; network++) {
      sendGoodMail(network);
    }
    gateway.close();
  }

  @Test
  void noGoodSenderIsRefusedAndARestartForgetsNothing() throws IOException {
    List<String> poisoned =
        IntStream.range(0, 40).mapToObj(BreakerStoryTest::host).collect(Collectors.toList());
    poisoned.add(OLD);
    begin(30);
    start();
    gateway.write("feed.txt", poisoned.toArray(String[]::new));
    gateway.refresh();
    for (int network = 0; network < 30; network++) {
      assertTrue(
          gateway.rcpt(host(network), "a@partner.example").startsWith("250"), "network " + network);
    }
    assertTrue(
        gateway.rcpt(host(39), "a@partner.example").startsWith("554"), "one that nobody knew");
    assertTrue(gateway.rcpt(OLD, "a@partner.example").startsWith("554"), "listed before");
    assertReported();
    gateway.close();
    start();
    assertTrue(gateway.rcpt(host(21), "a@partner.example").startsWith("250"), "after a restart");
    assertNoted();
    assertEquals(
        0, gateway.control(new ControlRequest.FeedsAccept("drop", false)).exitCode(), "accepted");
    assertTrue(
        gateway.rcpt(host(21), "a@partner.example").startsWith("554"), "the operator's word");
    gateway.close();
  }

  /** Who has seen the alarm says so, and nothing is let through. */
  private void assertNoted() throws IOException {
    assertEquals(0, gateway.control(new ControlRequest.FeedsAccept("drop", true)).exitCode());
    String status = gateway.control(new ControlRequest.Status()).json();
    assertTrue(status.contains("\"feeds_bad\":[]"), status);
    assertTrue(status.contains("breaker: new entries hit 30 client"), status);
    assertTrue(status.contains("noted by "), status);
    assertTrue(gateway.rcpt(host(21), "a@partner.example").startsWith("250"), "still held back");
  }

  private void assertReported() throws IOException {
    String status = gateway.control(new ControlRequest.Status()).json();
    assertTrue(status.contains("\"feeds_bad\":[\"drop\"]"), status);
    assertTrue(status.contains("\"feed drop: breaker: new entries hit 30 client"), status);
    String shown = gateway.control(new ControlRequest.FeedsShow("drop")).json();
    assertTrue(shown.contains("breaker: new entries hit 30 client networks"), shown);
    assertTrue(shown.contains("\"network\":\"198.18.7.0/24\""), shown);
    assertTrue(shown.contains("30 held back: lists good senders"), shown);
  }

  @Test
  void aRuleSparesWhoIsKnownFromTheStartOn() throws IOException {
    Path state = Files.createDirectories(folder.resolve("state"));
    KnownSenders before = KnownSenders.open(state.resolve(KnownSenders.FILE_NAME), problem -> {});
    before.accepted(ip(KNOWN), "ann@partner.example", Instant.now());
    before.save();
    gateway.with(
        "feeds",
        "{guard: {known_after: 0, breaker: none}, sources: {watch: {file: "
            + folder
            + "/grey.txt, format: ips, checks: [client_ip], allow_bogons: true}}}");
    gateway.with("rules", "{strangers: {any: 1, of: [watch], action: reject, unless: known}}");
    gateway.start();
    assertEquals("250 2.1.5 Ok", gateway.rcpt(KNOWN, "bob@partner.example"));
    assertEquals("250 2.1.5 Ok", gateway.rcpt("198.51.100.10", "ann@partner.example"));
    String refused = gateway.rcpt(KNOWN, "ann@stranger.example");
    assertTrue(refused.contains("blocked using watch ["), refused);
    String explained =
        Json.write(
            gateway
                .control(new ControlRequest.Explain(KNOWN, null, "ann@partner.example", null, null))
                .items()
                .getFirst());
    assertTrue(explained.contains("\"verdict\":\"accept\""), explained);
    assertTrue(explained.contains("(unless: known)"), explained);
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }
}
