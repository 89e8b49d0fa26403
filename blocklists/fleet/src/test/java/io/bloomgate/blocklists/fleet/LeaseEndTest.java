package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long a leader leads that Redis does not confirm, by its own clock. */
class LeaseEndTest {

  private long nanos;
  private long lease;

  @Test
  void aLeadEndsBeforeItsLeaseAndALateReplyBringsItNotBack(@TempDir Path folder) throws Exception {
    InstantSource clock = InstantSource.system();
    FleetSettings settings =
        FleetStage.settings("mx1", RedisAddress.read("redis://127.0.0.1:1"), "test:", folder, null);
    FleetLease held =
        new FleetLease(
            settings,
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
    held.lead(7, 0);
    nanos = FleetLease.HELD.toNanos();
    held.endInTime();
    assertEquals(7, lease);
    nanos++;
    held.endInTime();
    assertEquals(0, lease);
    assertFalse(held.leads());

    held.lead(7, 0);
    assertFalse(held.leads(), "the reply came late");
    held.lead(8, nanos);
    assertTrue(held.leads());
  }
}
