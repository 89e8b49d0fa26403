package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit names who changed how the gateway runs, and from what to what. */
final class RunAuditTest {

  @TempDir private Path directory;

  private static List<String> audit(GatewayHouse house) throws Exception {
    return house.ask(new ControlRequest.Audit(null, 100)).items().stream()
        .map(record -> text(record, "command") + ": " + text(record, "subject"))
        .toList();
  }

  private static String text(JsonObject record, String name) {
    return record.text(name).orElse("");
  }

  @Test
  void modeDrainAndResumeAreRecordedWithTheirUser() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway _ = house.start()) {
      house.ask(new ControlRequest.SetMode(Mode.ENFORCE, null));
      house.ask(new ControlRequest.SetMode(Mode.SOFT, Duration.ofHours(1)));
      house.ask(new ControlRequest.Drain());
      house.ask(new ControlRequest.Drain());
      house.ask(new ControlRequest.Resume());
      house.ask(new ControlRequest.Resume());
      List<JsonObject> records = house.ask(new ControlRequest.Audit(null, 100)).items();
      List<String> lines = audit(house);
      assertEquals(4, lines.size(), lines.toString());
      assertEquals("mode: observe to enforce", lines.get(3));
      assertTrue(lines.get(2).startsWith("mode: enforce to soft, until 20"), lines.get(2));
      assertEquals("drain: no mail is taken any more, 0 sessions", lines.get(1));
      assertEquals("resume: mail is taken again", lines.getFirst());
      String user = System.getProperty("user.name");
      assertTrue(records.stream().allMatch(record -> text(record, "author").equals(user)));
    }
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
      Files.writeString(house.settings(), "mode: nonsense\n");
      house.reload();
      List<JsonObject> records = house.ask(new ControlRequest.Audit(null, 100)).items();
      assertEquals(
          List.of(
              "config reload: no setting changed",
              "config reload: mode observe to enforce, feeds.sources.secret, hostname,"
                  + " limits.errors"),
          audit(house));
      assertEquals("SIGHUP", text(records.get(1), "author"));
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
