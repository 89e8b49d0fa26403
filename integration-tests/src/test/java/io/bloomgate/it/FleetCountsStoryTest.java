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
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways and a Redis: senders meet one mind, whichever of them they come to, and commands
 * name the node where it matters. Each test has its own recipients, so that none is at a limit
 * already.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetCountsStoryTest {

  private static final String STRONG = "203.0.113.9";
  private static final String WEAK = "203.0.113.7";

  /** Mails for one text that is long enough to be recognised. */
  private static final String TEXT =
      "dear reader our new gardening catalogue offers tools seeds and plants for every season with"
          + " friendly prices fast delivery and honest advice from people who love what they grow"
          + " at home order before sunday evening and receive a small surprise with the first"
          + " parcel";

  private Path folder;
  private ScriptedUpstream upstream;
  private FleetRedis redis;
  private GatewayFixture first;
  private GatewayFixture second;

  @BeforeAll
  void begin(@TempDir Path directory) throws Exception {
    assumeTrue(FleetRedis.program().isPresent(), "no redis-server on this machine");
    folder = directory;
    upstream = ScriptedUpstream.start();
    redis = new FleetRedis(folder.resolve("redis"), TestCertificate.shared("ip:127.0.0.1"));
    Path secret = folder.resolve("secret");
    Files.writeString(secret, "a secret that all nodes have\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    first = node("mx1", secret).start();
    second = node("mx2", secret).start();
    Conditions.await("both are connected", () -> connected(first) && connected(second));
  }

  @AfterAll
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
            """);
  }

  private static JsonObject counts(GatewayFixture node) {
    return shown(node).orElseThrow();
  }

  /** Empty as long as the node has not beaten in Redis. */
  private static Optional<JsonObject> shown(GatewayFixture node) {
    return self(node).flatMap(row -> row.object("counts"));
  }

  private static Optional<JsonObject> self(GatewayFixture node) {
    return status(node).items().stream().filter(row -> row.isTrue("self")).findFirst();
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
    long before = merged(second);
    String other = TEXT.replace("gardening", "cooking").replace("plants", "spices");
    expect("250", mail(first, client(1), "trap@example.com", other));
    Conditions.await("the other one has heard of it", () -> merged(second) > before);
    assertTrue(Files.exists(folder.resolve("mx2/state/memory.db")));
  }

  @Test
  void aRateIsThatOfAllNodesTogether() throws Exception {
    long before = merged(second);
    for (int i = 0; i < 10; i++) {
      expect("250", mail(first, client(i), "bob@example.com", ""));
    }
    awaitSent(first);
    // What Redis says too late for one mail counts for the next one.
    expect("250", mail(second, client(10), "bob@example.com", ""));
    Conditions.await("its domain and its recipient are added", () -> merged(second) >= before + 20);
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
    expect("451 4.7.1 Greylisted", mail(first, WEAK, "amy@example.com", "hello"));
    Conditions.await(
        "let in", () -> mail(second, WEAK, "amy@example.com", "hello").startsWith("250"));
    expect("250", mail(first, WEAK, "amy@example.com", "hello"));
  }

  @Test
  void whoIsKnownToOneNodeIsKnownToTheOther() throws Exception {
    String newcomer = "198.18.7.9";
    IpAddress client = IpAddress.parse(newcomer).toOptional().orElseThrow();
    assertFalse(second.gateway().blocklists().isKnown(client));
    expect("250", mail(first, newcomer, "eve@example.com", "hello"));
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
      expect("250", mail(first, client(i), "joe@example.com", i < 5 ? "hello" : ""));
    }
    expect("451 4.7.1 Too much mail for this", mail(first, client(16), "joe@example.com", ""));
    expect("250", mail(second, client(17), "joe@example.com", "hello"));
    Conditions.await("lost", () -> !connected(first));
    assertTrue(counts(first).text("problem").orElse("").contains("cannot be reached"));
    redis.signal("CONT");
    Conditions.await("healed", () -> connected(first) && connected(second));
    awaitSent(first);
    Conditions.await(
        "at its limit",
        () -> mail(second, client(18), "joe@example.com", "").startsWith("451 4.7.1 Too much"));
  }

  /** The other node has another version, and keeps it. */
  @Test
  void aRollbackOnOneNodeIsShownOnBoth() throws Exception {
    first.write("strong.txt", STRONG, "192.0.2.0/24");
    first.control(new ControlRequest.FeedsRefresh(List.of("strong"), false, true));
    Answer back = first.control(new ControlRequest.FeedsRollback("strong", null));
    assertEquals(0, back.exitCode(), back::toString);
    for (GatewayFixture node : List.of(first, second)) {
      Conditions.await(
          "shown",
          () -> notices(node).contains("feed strong is rolled back on mx1 and not on mx2"));
      assertEquals(0, status(node).exitCode(), "it is no fault");
    }
    first.write("strong.txt", STRONG);
    first.control(new ControlRequest.FeedsRefresh(List.of("strong"), false, true));
    first.write("strong.txt", STRONG, "192.0.2.128/25");
    first.control(new ControlRequest.FeedsRefresh(List.of("strong"), false, true));
    for (GatewayFixture node : List.of(first, second)) {
      Conditions.await("over", () -> notices(node).equals("[]"));
    }
  }

  private static String notices(GatewayFixture node) {
    return self(node).orElseThrow().elements("notices").toString();
  }

  /** As when another program took the key, or the user may not write it. */
  @Test
  void healthNamesAFaultOfTheCountersAlone() throws Exception {
    assertFalse(health().contains("\"fleet\""), health());
    redis.admin("DEL bloomgate:counts");
    redis.admin("SET bloomgate:counts x");
    try {
      expect("250", mail(first, "198.18.0.1", "sue@example.com", "hello"));
      Conditions.await("named", () -> health().contains("\"fleet\":\"senders and mails are"));
      assertTrue(health().contains("belongs to another program"), health());
      assertTrue(health().contains("\"ready\":true"), health());
      assertEquals(0, status(first).exitCode(), "entries travel");
    } finally {
      redis.admin("DEL bloomgate:counts");
    }
    Conditions.await("both are connected", () -> connected(first) && connected(second));
    Conditions.await("over", () -> !health().contains("\"fleet\""));
  }

  private String health() {
    return first.control(new ControlRequest.Health()).json();
  }

  @Test
  void aCommandAboutASessionOfTheOtherNodeNamesThatNode() throws Exception {
    String reply = mail(first, STRONG, "sue@example.com", "");
    String id = reply.replaceAll("(?s).*\\[([0-9A-Z]{10})].*", "$1");
    ControlRequest show = new ControlRequest.SessionsShow(id);
    Conditions.await("kept", () -> first.control(show).exitCode() == 0);
    String there = "node mx1 has it: run the same command there";
    ControlRequest explain = new ControlRequest.Explain(id, null, null, null, null);
    for (ControlRequest about : List.of(show, explain, add(id, null), add(null, id))) {
      Conditions.await("hint of " + about, () -> said(second, about).contains(there));
      assertFalse(said(first, about).contains("run the same command"), about::toString);
    }
    ControlRequest unknown = new ControlRequest.SessionsShow("0123456789");
    assertFalse(said(second, unknown).contains("run the same command"));
  }

  private static ControlRequest add(String incident, String like) {
    ListKind list = incident == null ? ListKind.BLOCK : ListKind.ALLOW;
    return Addition.of(list, List.of()).incident(incident).like(like).request();
  }

  private static String said(GatewayFixture node, ControlRequest request) {
    try {
      return node.control(request).toString();
    } catch (UncheckedIOException e) {
      return e.getCause().getMessage();
    }
  }

  private static Answer status(GatewayFixture node) {
    return node.control(new ControlRequest.FleetStatus());
  }
}
