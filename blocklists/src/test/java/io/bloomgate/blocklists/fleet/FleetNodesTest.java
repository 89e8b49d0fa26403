package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a leader leads that Redis does not confirm, by its own clock. */
class FleetNodesTest {

  private long nanos;
  private long lease;

  @Test
  void aLeadEndsBeforeItsLeaseAndALateReplyBringsItNotBack(@TempDir Path folder) throws Exception {
    InstantSource clock = InstantSource.system();
    ListFiles none =
        new ListFiles(
            List.of(), List.of(), new WidthRules(List.of(), List.of(), _ -> false), clock);
    FleetSettings settings =
        new FleetSettings(
            "mx1",
            FleetSettings.Role.AUTO,
            RedisAddress.read("redis://127.0.0.1:1"),
            "test:",
            folder,
            folder,
            null,
            null,
            null,
            Duration.ofSeconds(30),
            true);
    try (OperatorLists lists = OperatorLists.open(folder.resolve("operator.db"), none, clock)) {
      FleetNodes nodes =
          new FleetNodes(
              settings,
              lists.share("mx1"),
              RecordSeal.of(null),
              new SharedLists.Surroundings(
                  clock,
                  () -> nanos,
                  Thread.ofVirtual().factory(),
                  () -> "word",
                  () -> "g1",
                  "test",
                  now -> lease = now,
                  () -> 0,
                  _ -> {}));
      nodes.lead(7, 0);
      nanos = FleetNodes.HELD.toNanos();
      nodes.endInTime();
      assertEquals(7, lease);
      nanos++;
      nodes.endInTime();
      assertEquals(FleetNodes.NO_TERM, lease);
      assertFalse(nodes.leads());

      nodes.lead(7, 0);
      assertFalse(nodes.leads(), "the reply came late");
      nodes.lead(8, nanos);
      assertTrue(nodes.leads());
    }
  }
}
