package io.bloomgate.it;

import static io.bloomgate.gateway.testkit.SmtpClient.expect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Two gateways and a Redis: what commands at one node show of itself and of the other one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetCommandsStoryTest {

  private static final String LISTED = "203.0.113.7";
  private static final String SETTING =
      "{node: NODE, redis: \"REDIS\", secret_file: FOLDER/secret, counters: true}";

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
    Path secret = Files.writeString(folder.resolve("secret"), "a secret that all nodes have\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    first = node("mx1").start();
    second = node("mx2").start();
    awaitBoth();
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

  private GatewayFixture node(String name) throws IOException {
    Path own = Files.createDirectories(folder.resolve(name));
    return GatewayFixture.in(own, upstream.port()).with("fleet", setting(name));
  }

  private String setting(String name) {
    return SETTING
        .replace("NODE", name)
        .replace("REDIS", redis.address())
        .replace("FOLDER", folder.toString());
  }

  private void awaitBoth() throws IOException {
    for (GatewayFixture node : List.of(first, second)) {
      Conditions.await(
          "both are here and count together",
          () ->
              status(node).items().stream().filter(row -> row.isTrue("connected")).count() == 2
                  && self(node).object("counts").orElseThrow().isTrue("connected"));
    }
  }

  private static Answer status(GatewayFixture node) {
    return node.control(new ControlRequest.FleetStatus());
  }

  private static JsonObject self(GatewayFixture node) {
    return status(node).items().stream()
        .filter(row -> row.isTrue("self"))
        .findFirst()
        .orElseThrow();
  }

  /** The other node has another version, and keeps it. */
  @Test
  void aRollbackOnOneNodeIsShownOnBoth() throws Exception {
    first.write("grey.txt", "198.51.100.0/24", "192.0.2.0/24");
    first.control(new ControlRequest.FeedsRefresh(List.of("grey"), false, true));
    Answer back = first.control(new ControlRequest.FeedsRollback("grey", null));
    assertEquals(0, back.exitCode(), back::toString);
    for (GatewayFixture node : List.of(first, second)) {
      Conditions.await(
          "shown",
          () ->
              self(node)
                  .elements("notices")
                  .toString()
                  .contains("feed grey is rolled back on mx1 and not on mx2"));
      assertEquals(0, status(node).exitCode(), "it is no fault");
    }
    first.write("grey.txt", "198.51.100.0/24");
    first.control(new ControlRequest.FeedsRefresh(List.of("grey"), false, true));
    first.write("grey.txt", "198.51.100.0/24", "192.0.2.128/25");
    first.control(new ControlRequest.FeedsRefresh(List.of("grey"), false, true));
    for (GatewayFixture node : List.of(first, second)) {
      Conditions.await("over", () -> self(node).elements("notices").isEmpty());
    }
  }

  /** As when another program took the key, or the user may not write it. */
  @Test
  void healthNamesAFaultOfTheCountersAlone() throws Exception {
    assertFalse(health().contains("\"fleet\""), health());
    redis.admin("DEL bloomgate:counts");
    redis.admin("SET bloomgate:counts x");
    try {
      expect("250", mail(first, "198.18.0.1", "bob@example.com"));
      Conditions.await("named", () -> health().contains("\"fleet\":\"senders and mails are"));
      assertTrue(health().contains("belongs to another program"), health());
      assertTrue(health().contains("\"ready\":true"), health());
      assertEquals(0, status(first).exitCode(), "entries travel");
    } finally {
      redis.admin("DEL bloomgate:counts");
    }
    awaitBoth();
    Conditions.await("over", () -> !health().contains("\"fleet\""));
  }

  private String health() {
    return first.control(new ControlRequest.Health()).json();
  }

  /** The reply to the mail. */
  private static String mail(GatewayFixture at, String client, String to) throws IOException {
    try (SmtpClient smtp = SmtpClient.proxied(at.port("mx"), client)) {
      String reply = smtp.rcpt("mail.shop.example", "news@shop.example", to);
      if (reply.startsWith("250")) {
        return smtp.message("Subject: hi\r\n\r\nhello\r\n");
      }
      return reply;
    }
  }

  @Test
  void aCommandAboutASessionOfTheOtherNodeNamesThatNode() throws Exception {
    String reply = mail(first, LISTED, "bob@example.com");
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

  /** The settings of the fleet count from the start on, whatever the file says later. */
  @Test
  void configDiffShowsWhatOfTheFleetWaitsForARestart() throws Exception {
    assertTrue(diff(0).contains("no difference"), "as it was started");
    second.with("fleet", setting("mx2").replace("counters: true", "counters: false"));
    second.writeSettings();
    try {
      for (int i = 0; i < 2; i++) {
        String shown = diff(1);
        assertTrue(shown.contains("fleet.counters"), shown);
        assertTrue(shown.contains("only a restart of the gateway changes: fleet.counters"), shown);
        assertFalse(shown.contains("fleet.node"), shown);
        assertEquals(0, second.control(new ControlRequest.ConfigReload(false)).exitCode());
      }
    } finally {
      second.with("fleet", setting("mx2")).writeSettings();
    }
    assertTrue(diff(0).contains("no difference"), "as it was");
  }

  private String diff(int exitCode) throws Exception {
    Path output = folder.resolve("diff.out");
    Process cli =
        CliProcess.start(output, "config", "diff", "-c", second.settingsFile().toString());
    assertEquals(exitCode, cli.waitFor(), () -> read(output));
    return read(output);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
