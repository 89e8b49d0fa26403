package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.SnapshotBuilder;
import io.bloomgate.config.name.IpPrefix;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Stories of feeds that are too big together for the heap. */
class RoomForFeedsTest extends RefreshStories {

  /** Room for some 100 hosts. */
  private static final long HEAP_OCTETS = 1330;

  private RefreshStage smallStage() throws Exception {
    return new RefreshStage(
        stateDir,
        START,
        Duration.ofMinutes(1),
        new SnapshotBuilder(new SplittableRandom(42), HEAP_OCTETS),
        url("grows", "/grows", ""),
        url("steady", "/steady", ""));
  }

  @Test
  void theFeedThatGrewIsRefusedAndTheOthersGoLive() throws Exception {
    server.serve("/grows", ips(0, 50));
    server.serve("/steady", "198.51.100.1\n198.51.100.2\n");
    try (RefreshStage s = smallStage()) {
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.49"));
      server.serve("/grows", ips(0, 149));
      server.serve("/steady", "198.51.100.1\n198.51.100.2\n198.51.100.3\n");
      s.now = s.now.plus(HOUR.multipliedBy(2));
      s.loop.tick();
      assertTrue(s.listsIp("198.51.100.3"), "the other one went live");
      assertTrue(s.listsIp("203.0.113.49"), "the last good version stays");
      assertFalse(s.listsIp("203.0.113.148"));
      assertEquals("cached", s.state("grows"));
      assertEquals("fresh", s.state("steady"));
      assertTrue(s.problem("grows").startsWith("rejected: all feeds together"), s.problem("grows"));
      assertEquals(1, s.alarms.size(), s.alarms.toString());
    }
  }

  /** Which good senders it lists is not known then; the operator still sees why it waits. */
  @Test
  void aVersionThatWaitsMayBeTooBigForABuild() throws Exception {
    server.serve("/grows", ips(0, 50));
    server.serve("/steady", "198.51.100.1\n");
    try (RefreshStage s = smallStage()) {
      s.allowed = List.of(IpPrefix.parse("203.0.113.7").toOptional().orElseThrow());
      s.loop.tick();
      server.serve("/grows", ips(120, 250));
      s.now = s.now.plus(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("held", s.state("grows"), s.problem("grows"));
      assertTrue(s.listsIp("203.0.113.49"), "the last good version stays");
    }
  }
}
