package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code block add} answers: what is refused now, and what was not added. */
final class BlockAddTest {

  @TempDir private Path directory;

  private static ControlRequest block(String subject, boolean force) {
    return Addition.block(subject).reason("a test").force(force).request();
  }

  @Test
  void oneRefusedSubjectOfSeveralLeavesTheOthersOutAndSaysSo() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      for (String bad : List.of("gmail.com", "what?")) {
        Answer refused = house.ask(Addition.block("192.0.2.9", bad).request());
        assertEquals(2, refused.exitCode(), refused.toString());
        assertTrue(refused.says("; nothing was added"), refused.toString());
      }
      assertEquals(
          0,
          house
              .ask(new ControlRequest.ListShow(ListKind.BLOCK, "", Long.MAX_VALUE, null))
              .items()
              .size());
      assertFalse(house.ask(block("gmail.com", false)).says("nothing was added"));
    }
  }

  /** The mail passes: "now refuses" would be untrue. */
  @Test
  void aBlockInModeObserveSaysThatMailIsOnlyLogged() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).mode("observe").write();
    try (Gateway _ = house.start()) {
      Answer added = house.ask(block("192.0.2.9", false));
      assertTrue(added.says("would refuse: operator entry"), added.toString());
      assertTrue(added.says("until `bloomgate mode enforce`"), added.toString());
      assertFalse(added.says("now refuses"), added.toString());
    }
  }
}
