package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.LogLines;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole gateway: start, commands, reload and end, through its sockets. */
final class GatewayTest {

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
  void aStoreThatCannotBeReadIsNoClientThatHasGone() throws Exception {
    GatewayHouse house = house();
    Files.createDirectories(directory.resolve("state"));
    Files.writeString(directory.resolve("state/sessions"), "a file in the place of the directory");
    try (Gateway _ = house.start()) {
      Answer answer = house.ask(Addition.allow().incident("7K3Q9ZT2AB").request());
      assertEquals(1, answer.exitCode());
      assertSays(answer, "the kept sessions cannot be read");
    }
  }

  @Test
  void anAllowCountsInSessionsThatAreOpen() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      try (SmtpClient client = new SmtpClient(gateway.port("mx"))) {
        assertTrue(client.rcpt("mail.home.example", SENDER, ALICE).startsWith("554 5.7.1"));
        Answer added = house.done(allow("junk.example", false));
        assertSays(
            added,
            "lifts: senders lists junk.example",
            "never lifts a listing of the client's address");
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
  void aReloadChangesEverythingOrNothing() throws Exception {
    GatewayHouse house = house();
    try (Gateway gateway = house.start()) {
      house.refresh();
      house.mode("observe").hostname("new.company.example").more("nonsense: 1").write();
      Answer bad = house.reload();
      assertEquals(1, bad.exitCode());
      assertSays(bad, "nonsense");
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

  private static List<String> audit(GatewayHouse house) throws Exception {
    return house.ask(new ControlRequest.Audit(null, 100)).items().stream()
        .map(record -> text(record, "command") + ": " + text(record, "subject"))
        .toList();
  }

  private static String text(JsonObject record, String name) {
    return record.text(name).orElse("");
  }

  @Test
  void aReloadNamesTheSettingsThatChanged() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway gateway = house.start()) {
      gateway.reload();
      assertEquals(List.of(), audit(house), "a signal that changed nothing, as log rotation does");
      house
          .mode("enforce")
          .hostname("other.company.example")
          .source("secret: {url: \"https://lists.example/?key=hush\", format: lines, every: 9h}")
          .more("limits: {errors: 5}")
          .write();
      gateway.reload();
      house.reload();
      String with = Files.readString(house.settings());
      Files.writeString(house.settings(), with.replaceFirst("\n.* secret: .*", ""));
      house.reload();
      Files.writeString(house.settings(), "mode: nonsense\n");
      house.reload();
      List<JsonObject> records = house.ask(new ControlRequest.Audit(null, 100)).items();
      assertEquals(
          List.of(
              "config reload: feeds.sources.secret removed",
              "config reload: no setting changed",
              "config reload: mode observe to enforce, feeds.sources.secret added, hostname,"
                  + " limits.errors"),
          audit(house));
      assertEquals("SIGHUP", text(records.get(2), "author"));
    }
  }

  @Test
  void theEndOfATimedModeIsRecorded() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway _ = house.start()) {
      house.ask(new ControlRequest.SetMode(Mode.ENFORCE, Duration.ofSeconds(1)));
      List<String> lines = audit(house);
      while (lines.size() < 2) { // housekeeping looks each second
        LockSupport.parkNanos(1_000_000);
        lines = audit(house);
      }
      assertEquals("mode: enforce to observe, its time is over", lines.getFirst());
    }
  }
}
