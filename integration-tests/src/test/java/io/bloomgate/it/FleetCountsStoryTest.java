package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways and a Redis: senders meet one mind, whichever of them they come to. */
@Timeout(180)
class FleetCountsStoryTest {

  private static final String STRONG = "203.0.113.9";
  private static final String WEAK = "203.0.113.7";

  /** Mails for one text that is long enough to be recognised. */
  private static final String TEXT =
      "dear reader our new gardening catalogue offers tools seeds and plants for every season with"
          + " friendly prices fast delivery and honest advice from people who love what they grow"
          + " at home order before sunday evening and receive a small surprise with the first"
          + " parcel";

  @TempDir private Path folder;
  private ScriptedUpstream upstream;
  private RedisProcess redis;
  private GatewayFixture first;
  private GatewayFixture second;

  @BeforeEach
  void begin() throws IOException {
    assumeTrue(RedisProcess.isInstalled(), "no redis-server on this machine");
    upstream = ScriptedUpstream.start();
    redis = RedisProcess.start(folder);
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "a secret that all nodes have\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    first = node("mx1", secret).start();
    second = node("mx2", secret).start();
    Conditions.await("both are connected", () -> connected(first) && connected(second));
  }

  @AfterEach
  void end() {
    if (redis != null) {
      first.close();
      second.close();
      redis.close();
      upstream.close();
    }
  }

  private GatewayFixture node(String name, Path secret) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    Files.writeString(own.resolve("strong.txt"), STRONG + "\n");
    return GatewayFixture.in(own, upstream.port())
        .with(
            "fleet",
            "{node: " + name + ", redis: \"" + redis.address() + "\", secret_file: " + secret + "}")
        .with("greylist", "{delay: 1s, window: 1h}")
        .with("rates", "{sender_domain: 600/h, client: 1000/h, recipient: 15/h}")
        .with("content", "{bulk: {networks: 5, window: 1h, mails: 1000}}")
        .with(
            "feeds",
            """

              guard: {max_turnover: none, max_shrink: 100%, known_after: 0}
              sources:
                weak: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: greylist, allow_bogons: true}
                strong: {file: FOLDER/strong.txt, format: ips, checks: [client_ip], action: reject, allow_bogons: true}\
            """
                .replace("FOLDER", own.toString()));
  }

  private static JsonObject counts(GatewayFixture node) {
    return shown(node).orElseThrow();
  }

  /** Empty as long as the node has not beaten in Redis. */
  private static Optional<JsonObject> shown(GatewayFixture node) {
    return node.control(new ControlRequest.FleetStatus()).items().stream()
        .filter(row -> row.isTrue("self"))
        .findFirst()
        .flatMap(row -> row.object("counts"));
  }

  private static boolean connected(GatewayFixture node) {
    return shown(node).filter(counts -> counts.isTrue("connected")).isPresent();
  }

  private static long merged(GatewayFixture node) {
    return counts(node).number("merged").orElseThrow();
  }

  /** The reply to RCPT, or to the mail when the recipient is accepted. */
  private static String mail(GatewayFixture at, String client, String to, String text)
      throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(at.port("mx"), client)) {
      String reply = smtp.rcpt("mail.shop.example", "news@shop.example", to);
      if (reply.startsWith("250") && !text.isEmpty()) {
        expect("354", smtp.ask("DATA"));
        smtp.raw("Subject: hi\r\n\r\n" + text + "\r\n.\r\n");
        return smtp.reply();
      }
      return reply;
    }
  }

  /** Networks differ, so that none of them is beyond its share of a rate. */
  private static String client(int i) {
    return "198.51." + (100 + i % 20) + "." + (1 + i / 20);
  }

  private void awaitMerged(GatewayFixture node, long counts) throws IOException {
    Conditions.await("merged", () -> merged(node) >= counts);
  }

  @Test
  void aRateIsThatOfAllNodesTogether() throws Exception {
    for (int i = 0; i < 10; i++) {
      expect("250", mail(first, client(i), "bob@example.com", ""));
    }
    awaitMerged(second, 20);
    for (int i = 10; i < 15; i++) {
      expect("250", mail(second, client(i), "bob@example.com", ""));
    }
    String tooMuch = "451 4.7.1 Too much mail for this recipient";
    expect(tooMuch, mail(second, client(15), "bob@example.com", ""));
    awaitMerged(first, 10);
    expect(tooMuch, mail(first, client(16), "bob@example.com", ""));
    expect("250", mail(first, client(17), "ann@example.com", ""));
  }

  @Test
  void whoIsGreylistedAtOneNodeAndComesAgainToTheOtherIsLetIn() throws Exception {
    expect("451 4.7.1 Greylisted", mail(first, WEAK, "bob@example.com", "hello"));
    // Its recipient is counted, too, and may come in a batch before.
    Conditions.await("its visit is known", () -> greylist(second, "waiting") == 1);
    String reply = "451";
    while (reply.startsWith("451")) {
      LockSupport.parkNanos(50_000_000);
      assertEquals(1, greylist(second, "waiting"), "its first visit was to the other node");
      reply = mail(second, WEAK, "bob@example.com", "hello");
    }
    expect("250", reply);
    Conditions.await("the first node knows that", () -> greylist(first, "passed") == 1);
    expect("250", mail(first, WEAK, "bob@example.com", "hello"));
  }

  private static long greylist(GatewayFixture node, String what) {
    return FleetNodes.status(node)
        .object("greylist")
        .flatMap(sizes -> sizes.number(what).stream().boxed().findFirst())
        .orElseThrow();
  }

  /** What comes by way of Redis may be forged, and people paste what they are shown. */
  @Test
  void anAnswerOfTheOtherNodeNamesNoCommandButThatNode() throws Exception {
    String reply = mail(first, STRONG, "bob@example.com", "hello");
    String id = reply.replaceAll("(?s).*\\[([0-9A-Z]{10})].*", "$1");
    ControlRequest explain = new ControlRequest.Explain(id, null, null, null, null);
    Conditions.await("kept", () -> !first.control(explain).items().isEmpty());
    Conditions.await("known there", () -> !second.control(explain).items().isEmpty());
    Answer own = first.control(explain);
    Answer other = second.control(explain);
    assertTrue(own.json().contains("bloomgate allow add"), own::json);
    assertFalse(other.json().contains("bloomgate allow add"), other::json);
    assertTrue(other.json().contains(STRONG), other::json);
    assertEquals(own.exitCode(), other.exitCode());
    String note = other.notes().getLast();
    assertTrue(note.contains("node mx1") && note.contains("`bloomgate explain " + id), note);
  }

  @Test
  void whoIsKnownToOneNodeIsKnownToTheOther() throws Exception {
    IpAddress client = IpAddress.parse(client(1)).toOptional().orElseThrow();
    assertFalse(second.gateway().blocklists().isKnown(client));
    expect("250", mail(first, client(1), "bob@example.com", "hello"));
    Conditions.await(
        "known to both",
        () -> {
          second.gateway().blocklists().tendSenders();
          return second.gateway().blocklists().isKnown(client);
        });
  }

  @Test
  void aCampaignThatIsSpreadOverNodesIsFoundOnBoth() throws Exception {
    for (int i = 0; i < 70; i++) {
      expect("250", mail(i % 2 == 0 ? first : second, client(i), "r" + i + "@example.com", TEXT));
      if (i == 45) {
        assertEquals(0, campaigns(first) + campaigns(second), "23 copies at each");
      }
    }
    Conditions.await("found", () -> campaigns(first) == 1 && campaigns(second) == 1);
  }

  private static int campaigns(GatewayFixture node) {
    return node.control(new ControlRequest.CampaignsTop(20)).items().size();
  }

  @Test
  void mailGoesOnWhileRedisIsStoppedAndCountsAreMergedAfterwards() throws Exception {
    redis.signal("STOP");
    for (int i = 0; i < 15; i++) {
      expect("250", mail(first, client(i), "bob@example.com", i < 5 ? "hello" : ""));
    }
    expect("451 4.7.1 Too much mail for this", mail(first, client(16), "bob@example.com", ""));
    expect("250", mail(second, client(17), "bob@example.com", "hello"));
    Conditions.await("lost", () -> !connected(first));
    assertTrue(counts(first).text("problem").orElse("").contains("cannot be reached"));
    redis.signal("CONT");
    Conditions.await("healed", () -> connected(first) && connected(second));
    awaitMerged(second, 16 + 15 + 5);
    expect("451 4.7.1 Too much mail for this", mail(second, client(18), "bob@example.com", ""));
  }
}
