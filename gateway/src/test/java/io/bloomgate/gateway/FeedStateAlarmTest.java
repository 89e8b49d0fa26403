package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alarm of a gateway that cannot read the state of feeds. */
final class FeedStateAlarmTest {

  /** The place of the format in a file of SQLite. */
  private static final int USER_VERSION = 60;

  @TempDir private Path directory;

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
      assertTrue(doctor.items().toString().contains(alarm), doctor.toString());
    }
    Files.delete(states);
    try (Gateway _ = house.start()) {
      assertFalse(house.alarms().contains("feeds.db"), house.alarms());
    }
  }
}
