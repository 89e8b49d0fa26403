package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static io.bloomgate.gateway.testkit.Texts.assertLacks;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator must see of a whole gateway without having been there when it happened. */
final class GatewayAlarmsTest {

  @TempDir private Path directory;

  private static long verdicts(GatewayHouse house, String word) throws Exception {
    return house.status().object("verdicts_1h").orElseThrow().number(word).orElseThrow();
  }

  /** Logs are rotated at night, when a file with a mistake may lie there unseen. */
  @Test
  void aReloadThatFailsLetsARenamedLogGo() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway gateway = house.start()) {
      house.refresh();
      house.rcpt(gateway, "x@junk.example");
      house.more("no_such_setting: 7").write();
      house.reload(); // what was queued is written
      Path rotated = directory.resolve("decisions.log.1");
      Files.move(house.log(), rotated);
      assertEquals(1, house.reload().exitCode());
      house.rcpt(gateway, "y@junk.example");
      house.reload();
      assertTrue(Files.readString(rotated).contains("x@junk.example"));
      assertFalse(Files.readString(rotated).contains("y@junk.example"));
      assertTrue(Files.readString(house.log()).contains("y@junk.example"));
      assertEquals(
          "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(house.log())));
    }
  }

  /** Who chose `none` was warned by `config validate`, and must be able to have no alarm. */
  @Test
  void aMailServerThatDoesNotLearnClientsIsAnAlarmUnlessThatWasChosen() throws Exception {
    String alarm = "downstream does not learn the addresses of clients";
    try (ScriptedUpstream upstream = ScriptedUpstream.start()) {
      GatewayHouse house = new GatewayHouse(directory).upstream(upstream.port()).write();
      try (Gateway _ = house.start()) {
        assertTrue(alarmsWhenUp(house).contains(alarm), house.alarms());
      }
      house.downstream(", client_address: none").write();
      try (Gateway _ = house.start()) {
        assertFalse(alarmsWhenUp(house).contains(alarm), house.alarms());
      }
    }
  }

  /** The first probe runs beside the start. */
  private static String alarmsWhenUp(GatewayHouse house) throws Exception {
    while (!house.status().text("downstream").orElse("").equals("up")) {
      LockSupport.parkNanos(1_000_000);
    }
    return house.alarms();
  }

  @Test
  void idleSessionsThatUseUpAllPlacesAreAnAlarm() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).listener(", max_sessions: 5").write();
    try (Gateway gateway = house.start()) {
      List<SmtpClient> idle = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        SmtpClient client = new SmtpClient(gateway.port("mx"));
        SmtpClient.expect("220", client.reply());
        idle.add(client);
      }
      SmtpClient.expect("421 4.7.0 Too many sessions", answered(idle).reply());
      String alarms = house.alarms();
      assertHas(alarms, "has 5 of its 5 sessions (max_sessions)");
      for (SmtpClient client : idle) {
        client.close();
      }
    }
  }

  /** The one whose wait began first; on a busy machine it is not always the first that came. */
  private static SmtpClient answered(List<SmtpClient> clients) throws IOException {
    while (true) {
      for (SmtpClient client : clients) {
        if (client.socket().getInputStream().available() > 0) {
          return client;
        }
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** The mail server of this house answers nobody. */
  @Test
  void figuresTellWhatWasPutOffAndSurviveARestart() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway gateway = house.start()) {
      house.refresh();
      assertTrue(house.rcpt(gateway, "x@junk.example").startsWith("554"));
      assertTrue(house.rcpt(gateway, "x@good.example").startsWith("451"));
      assertEquals(1, verdicts(house, "reject"));
      assertEquals(1, verdicts(house, "server_away"));
      assertEquals(0, verdicts(house, "tempfail"), "no list had a say in it");
    }
    try (Gateway _ = house.start()) {
      assertEquals(1, verdicts(house, "reject"));
      assertEquals(1, verdicts(house, "server_away"));
      String feeds = house.ask(new ControlRequest.FeedsList()).items().toString();
      assertHas(feeds, "hits_24h");
    }
    Files.writeString(directory.resolve("state").resolve(RecentCounts.FILE_NAME), "rubbish\n");
    try (Gateway _ = house.start()) {
      assertEquals(1, verdicts(house, "reject"), "these are of the kept sessions");
    }
  }

  /** A sender that asks for three recipients is one session, wherever it is counted. */
  @Test
  void statusCountsWhatStatsCount() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway gateway = house.start()) {
      house.refresh();
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        client.rcpt("mail.home.example", "x@junk.example", "bob@company.example");
        client.ask("RCPT TO:<eve@company.example>");
        client.ask("RCPT TO:<joe@company.example>");
        client.ask("QUIT");
      }
      Answer stats = house.ask(new ControlRequest.SessionsStats(Instant.EPOCH, false, null));
      long refused =
          stats.items().stream().mapToLong(row -> row.number("refused").orElseThrow()).sum();
      assertEquals(1, refused);
      assertEquals(refused, verdicts(house, "reject"));
      // A day of a zone begins where it begins there.
      Answer days =
          house.ask(new ControlRequest.SessionsStats(Instant.EPOCH, true, "Asia/Kolkata"));
      assertTrue(days.only().text("begins").orElseThrow().endsWith("T18:30:00Z"), days.json());
      assertEquals(
          2, house.ask(new ControlRequest.SessionsStats(Instant.EPOCH, true, "Mars")).exitCode());
    }
  }

  /** The place of the format in a file of SQLite. */
  private static final int USER_VERSION = 60;

  /** Mail goes on with all feeds, also with those that somebody disabled. */
  @Test
  void theStateOfFeedsOfAnotherReleaseIsAnAlarmUntilItIsMoved() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    house.start().close();
    Path states = house.settings().resolveSibling("state").resolve("feeds.db");
    try (RandomAccessFile file = new RandomAccessFile(states.toFile(), "rw")) {
      file.seek(USER_VERSION);
      file.writeInt(99);
    }
    String alarm =
        "the state of feeds cannot be read or kept: "
            + states
            + " has format 99 of another release; this one reads format 1; move it to another"
            + " directory and start again; until then no feed is disabled, rolled back or promoted";
    try (Gateway _ = house.start()) {
      assertEquals(
          List.of(alarm),
          house.status().elements("alarms").stream()
              .map(JsonValue.JsonString.class::cast)
              .map(JsonValue.JsonString::value)
              .filter(text -> text.contains("feeds.db"))
              .toList());
      Answer doctor = house.ask(new ControlRequest.Doctor(false, false, false, true));
      assertHas(doctor.items().toString(), alarm);
    }
    Files.delete(states);
    try (Gateway _ = house.start()) {
      assertLacks(house.alarms(), "feeds.db");
    }
  }
}
