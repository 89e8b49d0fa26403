package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways and a Redis: senders meet one mind, whichever of them they come to. */
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
  private FleetRedis redis;
  private GatewayFixture first;
  private GatewayFixture second;

  @BeforeEach
  void begin() throws Exception {
    assumeTrue(FleetRedis.program().isPresent(), "no redis-server on this machine");
    upstream = ScriptedUpstream.start();
    redis = new FleetRedis(folder.resolve("redis"), TestCertificate.shared("ip:127.0.0.1"));
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
        .with("traps", "{addresses: [trap@example.com], keep: 30d}")
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
        return smtp.message("Subject: hi\r\n\r\n" + text + "\r\n");
      }
      return reply;
    }
  }

  /** Networks differ, so that none of them is beyond its share of a rate. */
  private static String client(int i) {
    return "198.51." + (100 + i % 20) + "." + (1 + i / 20);
  }

  @Test
  void whatOneNodeSawInATrapAllRemember() throws Exception {
    expect("250", mail(first, client(1), "trap@example.com", TEXT));
    Conditions.await("the other one has heard of it", () -> merged(second) == 1);
    assertTrue(Files.exists(folder.resolve("mx2/state/memory.db")));
  }

  @Test
  void aRateIsThatOfAllNodesTogether() throws Exception {
    for (int i = 0; i < 10; i++) {
      expect("250", mail(first, client(i), "bob@example.com", ""));
    }
    awaitSent(first);
    // What Redis says too late for one mail counts for the next one.
    expect("250", mail(second, client(10), "bob@example.com", ""));
    Conditions.await("its domain and its recipient are added", () -> merged(second) == 20);
    for (int i = 11; i < 15; i++) {
      expect("250", mail(second, client(i), "bob@example.com", ""));
    }
    String tooMuch = "451 4.7.1 Too much mail for this recipient";
    expect(tooMuch, mail(second, client(15), "bob@example.com", ""));
    awaitSent(second);
    Conditions.await(
        "at its limit", () -> mail(first, client(16), "bob@example.com", "").startsWith(tooMuch));
  }

  private static void awaitSent(GatewayFixture node) throws IOException {
    Conditions.await("sent", () -> counts(node).number("waiting").orElse(-1) == 0);
  }

  @Test
  void whoIsGreylistedAtOneNodeAndComesAgainToTheOtherIsLetIn() throws Exception {
    expect("451 4.7.1 Greylisted", mail(first, WEAK, "bob@example.com", "hello"));
    Conditions.await(
        "let in", () -> mail(second, WEAK, "bob@example.com", "hello").startsWith("250"));
    Conditions.await("the other node was asked", () -> merged(second) > 0);
    expect("250", mail(first, WEAK, "bob@example.com", "hello"));
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
    awaitSent(first);
    Conditions.await(
        "at its limit",
        () -> mail(second, client(18), "bob@example.com", "").startsWith("451 4.7.1 Too much"));
  }
}
