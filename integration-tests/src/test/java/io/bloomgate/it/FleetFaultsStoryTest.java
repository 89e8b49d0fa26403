package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two gateways over TLS as the user of the handbook, and everything that can be wrong with a real
 * Redis: mail goes on, and log, metrics, {@code status} and {@code fleet status} say what is wrong.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetFaultsStoryTest {

  private static final String TOKEN = "read-0123456789-abcdef";

  private Path folder;
  private ScriptedUpstream upstream;
  private FleetRedis redis;
  private FleetRedis stranger;
  private FleetRedis otherHost;
  private FaultyLine line;
  private GatewayFixture first;
  private GatewayFixture second;
  private final int http = FreePort.next();
  private CapturedLog log;
  private int entries;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    folder = directory;
    assumeTrue(FleetRedis.program().isPresent(), "no redis-server on this machine");
    log =
        new CapturedLog(
            "io.bloomgate.blocklists.fleet",
            "io.bloomgate.gateway.admin",
            "io.bloomgate.gateway.Services");
    upstream = ScriptedUpstream.start();
    redis = new FleetRedis(folder.resolve("redis"), TestCertificate.create("ip:127.0.0.1"));
    stranger = new FleetRedis(folder.resolve("stranger"), TestCertificate.create("ip:127.0.0.1"));
    otherHost =
        new FleetRedis(folder.resolve("host"), TestCertificate.create("dns:elsewhere.example"));
    Files.writeString(
        folder.resolve("ca.pem"),
        Files.readString(redis.certificate()) + Files.readString(otherHost.certificate()));
    line = new FaultyLine(redis.port());
    Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-r-----"));
    first =
        node("mx1")
            .with("admin", "{http: \"127.0.0.1:" + http + "\", token_file: " + token + "}")
            .start();
    second = node("mx2").start();
    awaitHealthy();
  }

  private GatewayFixture node(String name) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    Files.writeString(own.resolve("held.txt"), names(10));
    return GatewayFixture.in(own, upstream.port())
        .with(
            "feeds",
            """

              sources:
                drop: {file: FOLDER/drop.txt, format: ips, checks: [client_ip], action: reject,
                       allow_bogons: true}
                held: {file: FOLDER/held.txt, format: domains, checks: [sender_domain],
                       action: reject}\
            """)
        .with(
            "fleet",
            "{node: %s, redis: \"rediss://bloomgate:SECRET@127.0.0.1:%d\", redis_ca: %s}"
                .formatted(name, line.port(), folder.resolve("ca.pem")));
  }

  private static String names(int count) {
    StringBuilder names = new StringBuilder();
    for (int i = 0; i < count; i++) {
      names.append("spam").append(i).append(".example\n");
    }
    return names.toString();
  }

  private static void refreshHeld(GatewayFixture node, int count) throws IOException {
    Files.writeString(node.folder().resolve("held.txt"), names(count));
    node.control(new ControlRequest.FeedsRefresh(List.of("held"), false, true));
  }

  private static long heldFeedEntries(GatewayFixture node) {
    return node.control(new ControlRequest.FeedsShow("held"))
        .items()
        .getFirst()
        .number("entries")
        .orElse(-1);
  }

  private static boolean audited(GatewayFixture node, String command, String subject) {
    return node.control(new ControlRequest.Audit(null, 50)).items().stream()
        .anyMatch(record ->
            record.text("command").orElse("").equals(command)
                && record.text("author").orElse("").endsWith("@mx1")
                && record.text("subject").orElse("").startsWith(subject));
  }

  @Test
  void whatIsAcceptedAndTakenBackOnOneNodeIsOnTheOtherThatHasTheVersion() throws Exception {
    for (GatewayFixture node : List.of(first, second)) {
      refreshHeld(node, 10);
      refreshHeld(node, 2);
      assertEquals(10, heldFeedEntries(node), "the guard holds the small version");
    }
    Conditions.await("both are here", () -> saysOnBothNodes(put(first)));
    Answer accepted = first.control(new ControlRequest.FeedsAccept("held", false));
    assertTrue(accepted.notes().toString().contains("on 2 of 2 nodes"), accepted::toString);
    Conditions.await("accepted on both", () -> heldFeedEntries(second) == 2);
    Conditions.await("audited", () -> audited(second, "feeds accept", "held version"));
    String shown = second.control(new ControlRequest.FeedsShow("held")).json();
    assertTrue(shown.contains("@mx1\""), shown);
    first.control(new ControlRequest.FeedsRollback("held", null));
    Conditions.await("taken back on both", () -> heldFeedEntries(second) == 10);
    Conditions.await("audited", () -> audited(second, "feeds rollback", "held version"));
    refreshHeld(first, 1);
    log.clear();
    first.control(new ControlRequest.FeedsAccept("held", false));
    Conditions.await(
        "said in one line", () -> log.contains("does not hold the version of feed held"));
    assertEquals(10, heldFeedEntries(second));
  }

  @Test
  void theModeOfOneNodeIsThatOfAll() throws Exception {
    first.control(new ControlRequest.SetMode(Mode.SOFT, null));
    try {
      Conditions.await("audited", () -> audited(second, "mode", "enforce to soft"));
      Conditions.await("shown", () -> fleetStatus().split("\"mode\":\"soft\"", -1).length == 3);
      String all = "\"nodes\":2,\"nodes_here\":2,\"nodes_away\":0,\"queued\":false";
      Conditions.await("on both within a second", () -> put(first).json().contains(all));
    } finally {
      first.control(new ControlRequest.SetMode(Mode.ENFORCE, null));
    }
  }

  @AfterAll
  void stop() throws Exception {
    if (upstream == null) {
      return;
    }
    for (AutoCloseable one :
        List.of(first, second, line, redis, stranger, otherHost, upstream, log)) {
      one.close();
    }
  }

  /** Something that is done to Redis. */
  interface Deed {
    void run() throws Exception;
  }

  /**
   * Something that is wrong with Redis.
   *
   * @param words what people read of it
   */
  record Fault(String name, String words, Deed begin, Deed end) {
    @Override
    public String toString() {
      return name;
    }
  }

  @ParameterizedTest
  @MethodSource("faults")
  void mailGoesOnAndPeopleReadWhatIsWrong(Fault fault) throws Exception {
    String words = fault.words();
    log.clear();
    fault.begin().run();
    try {
      Conditions.await("in the metrics", () -> metric("connected") == 0);
      Conditions.await("in fleet status", () -> fleetStatus().contains(words));
      assertMailGoesOn();
      // Attempts differ in their words: "end of stream" where a line was just cut.
      Conditions.await("not connected", () -> connectedNodes() < 2);
      Conditions.await(
          "an alarm", () -> alarms().stream().anyMatch(alarm -> alarm.contains(words)));
      assertEquals(1, first.control(new ControlRequest.FleetStatus()).exitCode());
      assertTrue(first.control(new ControlRequest.Health()).json().contains("\"fleet\":\""));
      Conditions.await("in the log", () -> log.contains(words));
      String note = put(first).notes().toString();
      assertTrue(note.contains("queued for the others") || note.contains("on 1 of"), note);
    } finally {
      fault.end().run();
    }
    awaitHealthy();
  }

  /** Both are connected, and have all that was added to either of them. */
  private void awaitHealthy() throws Exception {
    Conditions.await("connected again", () -> metric("connected") == 1 && metric("waiting") == 0);
    Conditions.await("both say so", () -> connectedNodes() == 2);
    Conditions.await("equal lists", () -> blocked(first) == entries && blocked(second) == entries);
  }

  private static boolean saysOnBothNodes(Answer put) {
    return put.notes().toString().contains("on 2 of 2 nodes");
  }

  private long connectedNodes() {
    return first.control(new ControlRequest.FleetStatus()).items().stream()
        .filter(node -> node.isTrue("connected"))
        .count();
  }

  private static int blocked(GatewayFixture node) {
    return node.control(new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null))
        .items()
        .size();
  }

  private Answer put(GatewayFixture node) {
    entries++;
    return node.control(Addition.block("fault" + entries + ".example").reason("a test").request());
  }

  private void assertMailGoesOn() throws IOException {
    assertTrue(first.rcpt("203.0.113.7", "a@sender.example").startsWith("554"), "listed");
    assertTrue(first.rcpt("192.0.2.77", "a@sender.example").startsWith("250"), "not listed");
  }

  private double metric(String name) throws IOException {
    Matcher found =
        Pattern.compile("(?m)^bloomgate_fleet_" + name + " (\\S+)$").matcher(page("/metrics"));
    assertTrue(found.find(), name);
    return Double.parseDouble(found.group(1));
  }

  private String page(String path) throws IOException {
    try {
      return PageFixture.send(
              "GET", "http://127.0.0.1:" + http + path, "", "Authorization", "Bearer " + TOKEN)
          .body();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private List<String> alarms() {
    var all = first.status().elements("alarms").stream().map(Object::toString);
    return all.filter(alarm -> alarm.contains("fleet: ")).toList();
  }

  private String fleetStatus() {
    return first.control(new ControlRequest.FleetStatus()).json();
  }

  @Test
  void allOfItWorksOverTlsAsTheUserOfTheHandbook() throws Exception {
    Conditions.await("heard of both", () -> saysOnBothNodes(put(first)));
    put(second);
    awaitHealthy();
    Answer status = first.control(new ControlRequest.FleetStatus());
    assertEquals(0, status.exitCode());
    assertEquals(2, status.items().size());
    assertEquals(List.of(), alarms());
    String overview = page("/");
    assertTrue(overview.contains("<h2>Fleet</h2>"), overview);
    for (JsonObject node : status.items()) {
      assertTrue(overview.contains("<td>" + node.text("node").orElseThrow()), overview);
      assertTrue(overview.contains(node.text("generation").orElseThrow()), overview);
    }
  }

  private List<Fault> faults() {
    String untrusted = "shows a certificate that is not trusted";
    return List.of(
        new Fault("killed", "cannot be reached", redis::kill, redis::startAgain),
        new Fault(
            "paused", "cannot be reached", () -> redis.signal("STOP"), () -> redis.signal("CONT")),
        commands("full", "is full", "CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
        commands("read-only", "is a replica", "REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
        commands(
            "keys of another program",
            "belongs to another program",
            "SET bloomgate:entries x",
            "DEL bloomgate:entries"),
        new Fault(
            "wrong password",
            "refuses this user",
            () -> {
              redis.admin("ACL SETUSER bloomgate resetpass >OTHER");
              line.cut();
            },
            () -> redis.admin("ACL SETUSER bloomgate resetpass >SECRET")),
        new Fault(
            "a command that the user may not give",
            "no permissions to run the 'xadd' command",
            () -> {
              redis.admin("ACL SETUSER bloomgate -xadd");
              put(first);
            },
            () -> redis.admin("ACL SETUSER bloomgate +xadd")),
        new Fault(
            "certificate of another authority",
            untrusted,
            () -> line.leadTo(stranger.port()),
            () -> line.leadTo(redis.port())),
        new Fault(
            "certificate of another host",
            untrusted,
            () -> line.leadTo(otherHost.port()),
            () -> line.leadTo(redis.port())));
  }

  private Fault commands(String name, String words, String begin, String end) {
    return new Fault(name, words, () -> redis.admin(begin), () -> redis.admin(end));
  }

  /** It answers, so nothing is lost; but people see why changes come late. */
  @Test
  void slow() throws Exception {
    log.clear();
    line.delay(600);
    try {
      Conditions.await("slow is in the metrics", () -> metric("reply_seconds") > 0.5);
      Conditions.await("slow is in fleet status", () -> fleetStatus().contains("answers slowly"));
      String status = first.status().elements("alarms").toString();
      assertTrue(status.contains("Redis answers slowly"), status);
      assertTrue(log.contains("answers slowly"), log::toString);
      assertMailGoesOn();
      put(first);
    } finally {
      line.delay(0);
    }
    Conditions.await("fast again", () -> metric("reply_seconds") < 0.5);
    awaitHealthy();
  }
}
