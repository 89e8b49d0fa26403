package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.blocklists.file.StateLock;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
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

  private static ListAdd allow(String subject, boolean force) {
    return Addition.allow(subject).reason("a test").force(force).request();
  }

  @Test
  void refusesWhatIsListedAndTellsWhy() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      String reply = house.rcpt(gateway, SENDER);
      assertTrue(
          reply.startsWith(
              "554 5.7.1 Service unavailable; Sender domain [list.junk.example] blocked using"
                  + " senders ["),
          reply);
      Answer explained = house.incident(reply);
      assertEquals(1, explained.exitCode());
      String json = Json.write(explained.only());
      assertTrue(json.contains("\"feed\":\"senders\",\"entry\":\"junk.example\",\"line\":1"), json);
      assertTrue(reply.endsWith("[" + explained.only().text("incident").orElseThrow() + "]"), json);
    }
    String log = Files.readString(house.log());
    assertTrue(log.contains(": NOQUEUE: reject: RCPT from unknown[127.0.0.1]: 554 5.7.1 "), log);
    assertEquals(
        "rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(house.log())));
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
      house.refresh();
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
      assertTrue(house.rcpt(gateway, SENDER).startsWith("451 4.4.1"));
      Files.writeString(house.feed(), "junk.example\n");
      house.refresh();
      assertEquals(0, house.ask(new ControlRequest.Health()).exitCode());
      assertTrue(house.rcpt(gateway, SENDER).startsWith("554 5.7.1"));
    }
  }

  @Test
  void beforeTheFirstListsMailIsPutOffWhereTheSettingsSaySo() throws Exception {
    GatewayHouse house = house().more("policy: {before_first_lists: tempfail}").write();
    Files.delete(house.feed());
    try (Gateway gateway = house.start()) {
      assertTrue(house.alarms().contains("no lists are loaded: mail is answered 451"));
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("h.example.com", SENDER, ALICE).startsWith("451 4.3.2 Starting"));
        assertTrue(client.ask("RCPT TO:<eve@elsewhere.example>").startsWith("454 4.7.1"));
        Files.writeString(house.feed(), "other.example\n");
        house.refresh();
        assertTrue(client.ask("RCPT TO:<" + ALICE + ">").startsWith("451 4.4.1"));
      }
    }
  }

  @Test
  void aReloadChangesEverythingOrNothing() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      house.mode("observe").hostname("new.company.example").more("nonsense: 1").write();
      Answer bad = house.reload();
      assertEquals(1, bad.exitCode());
      assertTrue(bad.says("nonsense"), bad.toString());
      assertEquals(Mode.ENFORCE, mode(house));
      house.more("").write();
      try (LogLines log = new LogLines(LiveSettings.class, Level.INFO)) {
        assertEquals(0, house.reload().exitCode());
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
      assertTrue(house.reload().says(note));
      assertTrue(house.reload().says(note), "still waiting");
      house.admin("").write();
      Answer back = house.reload();
      assertEquals(0, back.exitCode());
      assertFalse(back.says(note), "the setting is again what it was at the start: " + back);
      house.more("fleet: {node: mx1, redis: \"redis://127.0.0.1:1\"}").write();
      String fleet = "fleet changed; it counts after a restart";
      assertTrue(house.reload().says(fleet));
    }
  }

  private static Mode mode(GatewayHouse house) throws Exception {
    String word = house.status().text("mode").orElseThrow();
    return Mode.valueOf(word.toUpperCase(java.util.Locale.ROOT));
  }

  @Test
  void theModeOfACommandSurvivesAReloadAndNotARestart() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      Answer set = house.ask(new ControlRequest.SetMode(Mode.SOFT, null));
      assertEquals("enforce", set.only().text("configured").orElseThrow());
      house.reload();
      assertEquals(Mode.SOFT, mode(house));
      assertTrue(house.rcpt(gateway, SENDER).startsWith("4"));
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
  void aDisabledFeedDoesNotCount() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      house.ask(new ControlRequest.FeedsDisable("senders", null));
      assertTrue(house.rcpt(gateway, SENDER).startsWith("451 4."));
      Answer enabled = house.ask(new ControlRequest.FeedsEnable("senders"));
      assertEquals("senders", enabled.only().text("feed").orElseThrow());
      assertTrue(house.rcpt(gateway, SENDER).startsWith("554 5.7.1"));
    }
  }
}
