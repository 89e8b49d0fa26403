package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.FeedsRefresh;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway: start, commands, reload and end, through its sockets. */
final class GatewayTest {

  /** Where SQLite has it in the header of a file, as four octets. */
  private static final int SQLITE_USER_VERSION = 60;

  private static final String SENDER = "news@list.junk.example";
  private static final String ALICE = "alice@company.example";

  @TempDir private Path directory;

  private GatewayHouse house() throws Exception {
    return new GatewayHouse(directory).write();
  }

  private static void refresh(GatewayHouse house) throws Exception {
    Answer answer = house.ask(new FeedsRefresh(List.of(), true, false));
    assertEquals(0, answer.exitCode(), answer.toString());
  }

  private static ListAdd allow(String subject, boolean force) {
    return Addition.allow(subject).reason("a test").force(force).request();
  }

  @Test
  void refusesWhatIsListedAndTellsWhy() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      refresh(house);
      String reply;
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        reply = client.rcpt("mail.home.example", SENDER, ALICE);
      }
      assertTrue(
          reply.startsWith(
              "554 5.7.1 Service unavailable; Sender domain [list.junk.example] blocked using"
                  + " senders ["),
          reply);
      String id = reply.substring(reply.length() - 11, reply.length() - 1);
      // Incidents are written beside the reply path, so the answer may come a moment later.
      Answer explained = house.ask(explain(id));
      for (int tries = 1; explained.items().isEmpty() && tries < 500; tries++) {
        explained = house.ask(explain(id));
      }
      assertEquals(1, explained.exitCode());
      String json = Json.write(explained.only());
      assertTrue(json.contains("\"feed\":\"senders\",\"entry\":\"junk.example\",\"line\":1"), json);
      assertTrue(json.contains("\"incident\":\"" + id + "\""), json);
    }
    String log = Files.readString(house.log());
    assertTrue(log.contains(": NOQUEUE: reject: RCPT from unknown[127.0.0.1]: 554 5.7.1 "), log);
    assertEquals(
        "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(house.log())));
  }

  private static ControlRequest.Explain explain(String subject) {
    return new ControlRequest.Explain(subject, null, null, null, null);
  }

  @Test
  void aStoreThatCannotBeReadIsNoClientThatHasGone() throws Exception {
    GatewayHouse house = house();
    Files.createDirectories(directory.resolve("state"));
    Files.writeString(directory.resolve("state/sessions"), "a file in the place of the directory");
    try (Gateway _ = house.start()) {
      Answer answer = house.ask(Addition.allow().incident("7K3Q9ZT2AB").request());
      assertEquals(1, answer.exitCode());
      assertTrue(answer.says("the kept sessions cannot be read"), answer.toString());
    }
  }

  @Test
  void anAllowCountsInSessionsThatAreOpen() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      refresh(house);
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("mail.home.example", SENDER, ALICE).startsWith("554 5.7.1"));
        Answer added = house.ask(allow("junk.example", false));
        assertEquals(0, added.exitCode());
        assertTrue(added.says("lifts: senders lists junk.example"), added.toString());
        assertTrue(added.says("never lifts a listing of the client's address"), added.toString());
        assertTrue(client.ask("RCPT TO:<" + ALICE + ">").startsWith("451 4."));
      }
    }
    // Durable, and live again after a restart.
    try (Gateway gateway = house.start();
        SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      assertTrue(client.rcpt("mail.home.example", SENDER, ALICE).startsWith("451 4."));
    }
  }

  @Test
  void beforeTheFirstListsMailPassesAndTheGatewayIsNotReady() throws Exception {
    GatewayHouse house = house();
    Files.delete(house.feed());
    try (Gateway gateway = house.start()) {
      Answer status = house.ask(new ControlRequest.Status());
      assertEquals("observe", status.only().text("mode").orElse(""));
      assertEquals(1, house.ask(new ControlRequest.Health()).exitCode());
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("451 4.4.1"));
      }
      Files.writeString(house.feed(), "junk.example\n");
      refresh(house);
      assertEquals(0, house.ask(new ControlRequest.Health()).exitCode());
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("554 5.7.1"));
      }
    }
  }

  @Test
  void beforeTheFirstListsMailIsPutOffWhereTheSettingsSaySo() throws Exception {
    GatewayHouse house = house().more("policy: {before_first_lists: tempfail}").write();
    Files.delete(house.feed());
    try (Gateway gateway = house.start()) {
      assertTrue(
          house
              .ask(new ControlRequest.Status())
              .only()
              .elements("alarms")
              .toString()
              .contains("no lists are loaded: mail is answered 451"));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("451 4.3.2 Starting"));
        assertTrue(client.ask("RCPT TO:<eve@elsewhere.example>").startsWith("454 4.7.1"));
        Files.writeString(house.feed(), "other.example\n");
        refresh(house);
        assertTrue(client.ask("RCPT TO:<" + ALICE + ">").startsWith("451 4.4.1"));
      }
    }
  }

  @Test
  void aReloadChangesEverythingOrNothing() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      refresh(house);
      house.mode("observe").hostname("new.company.example").more("nonsense: 1").write();
      Answer bad = house.ask(new ControlRequest.ConfigReload(false));
      assertEquals(1, bad.exitCode());
      assertTrue(bad.says("nonsense"), bad.toString());
      assertEquals(Mode.ENFORCE, mode(house));
      house.more("").write();
      try (LogLines log = new LogLines(LiveSettings.class, Level.INFO)) {
        assertEquals(0, house.ask(new ControlRequest.ConfigReload(false)).exitCode());
        assertEquals("command", log.threads().getLast(), "it does not give way to mail");
      }
      assertEquals(Mode.OBSERVE, mode(house));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.reply().startsWith("220 new.company.example "));
      }
    }
  }

  @Test
  void aReloadNamesWhatStillWaitsForARestartAndNothingElse() throws Exception {
    GatewayHouse house = house();
    String note = "admin changed; it counts after a restart";
    try (Gateway _ = house.start()) {
      house.admin(", socket_mode: \"0600\"").write();
      assertTrue(house.ask(new ControlRequest.ConfigReload(false)).says(note));
      assertTrue(house.ask(new ControlRequest.ConfigReload(false)).says(note), "still waiting");
      house.admin("").write();
      Answer back = house.ask(new ControlRequest.ConfigReload(false));
      assertEquals(0, back.exitCode());
      assertFalse(back.says(note), "the setting is again what it was at the start: " + back);
      house.more("fleet: {node: mx1, redis: \"redis://127.0.0.1:1\"}").write();
      String fleet = "fleet changed; it counts after a restart";
      assertTrue(house.ask(new ControlRequest.ConfigReload(false)).says(fleet));
    }
  }

  private static Mode mode(GatewayHouse house) throws Exception {
    String word = house.ask(new ControlRequest.Status()).only().text("mode").orElseThrow();
    return Mode.valueOf(word.toUpperCase(java.util.Locale.ROOT));
  }

  @Test
  void theModeOfACommandSurvivesAReloadAndNotARestart() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      refresh(house);
      Answer set = house.ask(new ControlRequest.SetMode(Mode.SOFT, null));
      assertEquals("enforce", set.only().text("configured").orElseThrow());
      house.ask(new ControlRequest.ConfigReload(false));
      assertEquals(Mode.SOFT, mode(house));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("4"));
      }
    }
    try (Gateway _ = house.start()) {
      assertEquals(Mode.ENFORCE, mode(house));
    }
  }

  @Test
  void aSecondGatewayOnTheSameStateIsRefused() throws Exception {
    GatewayHouse house = house();
    try (Gateway _ = house.start()) {
      StartFailure failure = assertThrows(StartFailure.class, house::start);
      assertEquals(StartFailure.CONFIGURATION, failure.exitCode());
      assertEquals(1, failure.lines().size());
      assertTrue(failure.lines().getFirst().contains("another gateway is running"));
      assertEquals(0, house.ask(new ControlRequest.Status()).exitCode());
    }
    house.start().close();
  }

  /** No change of the settings would cure it. */
  @Test
  void entriesOfAnotherReleaseStopTheStartWithTheirFormat() throws Exception {
    GatewayHouse house = house();
    house.start().close();
    Path entries = house.settings().resolveSibling("state").resolve("operator.db");
    try (RandomAccessFile file = new RandomAccessFile(entries.toFile(), "rw")) {
      file.seek(SQLITE_USER_VERSION);
      file.writeInt(9);
    }
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(StartFailure.TRY_AGAIN, failure.exitCode());
    assertTrue(
        failure
            .lines()
            .getFirst()
            .startsWith(
                entries + " has format 9 of another release; this one reads format 1; export"),
        failure.toString());
  }

  /** Or it would begin with a part of the state. */
  @Test
  void aRestoreThatWasCutOffStopsTheStart() throws Exception {
    GatewayHouse house = house();
    Path state = house.settings().resolveSibling("state");
    Path mark = Files.createDirectories(state.resolve(StateLock.RESTORING));
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(StartFailure.TRY_AGAIN, failure.exitCode());
    assertTrue(failure.lines().getFirst().contains("`bloomgate restore FILE` again"));
    Files.delete(mark);
    house.start().close();
  }

  @Test
  void everyProblemOfTheFileIsReportedAtTheStart() throws Exception {
    GatewayHouse house = house().mode("loud").more("nonsense: 1").write();
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(StartFailure.CONFIGURATION, failure.exitCode());
    assertTrue(failure.lines().size() >= 2, failure.toString());
    assertTrue(
        failure.lines().stream().allMatch(line -> line.matches(".*bloomgate.yaml:\\d+:\\d+: .*")),
        failure.toString());
  }

  @Test
  void aStateDirectoryThatCannotBeMadeIsReportedWithItsLine() throws Exception {
    GatewayHouse house = house();
    Path file = Files.createFile(directory.resolve("taken"));
    Files.writeString(
        house.settings(),
        Files.readString(house.settings()).replace(directory + "/state", file + "/state"));
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    String line = failure.lines().getFirst();
    assertTrue(line.startsWith(house.settings() + ":4: state_dir: cannot use " + file), line);
  }

  @Test
  void aPortThatIsTakenLeavesNothingOpen() throws Exception {
    GatewayHouse house = house();
    try (var taken = new java.net.ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
      String text = Files.readString(house.settings());
      Files.writeString(
          house.settings(),
          text.replace(
              "mx: {address: \"127.0.0.1:0\"",
              "mx: {address: \"127.0.0.1:" + taken.getLocalPort() + "\""));
      StartFailure failure = assertThrows(StartFailure.class, house::start);
      assertTrue(failure.lines().getFirst().startsWith("listeners.mx.address: "));
    }
    assertFalse(Files.exists(directory.resolve("control.sock")));
    house.write();
    house.start().close();
  }

  @Test
  void idleSessionsHearTheEnd() throws Exception {
    Gateway gateway = house().start();
    try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
      client.reply();
      client.ask("EHLO h.example.com");
      gateway.close();
      assertTrue(client.reply().startsWith("421 4.3.2"));
    }
  }

  @Test
  void aDisabledFeedDoesNotCount() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      refresh(house);
      house.ask(new ControlRequest.FeedsDisable("senders", null));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("451 4."));
      }
      Answer enabled = house.ask(new ControlRequest.FeedsEnable("senders"));
      assertEquals("senders", enabled.only().text("feed").orElseThrow());
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("554 5.7.1"));
      }
    }
  }
}
