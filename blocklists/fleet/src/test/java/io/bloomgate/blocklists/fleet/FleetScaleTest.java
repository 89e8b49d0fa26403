package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import io.bloomgate.config.name.ListKind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many nodes of one fleet in this process, and what that costs one real server; {@code -Dnodes=100}
 * prints the figures of the README of blocklists.
 */
class FleetScaleTest {

  private static final int NODES = Integer.getInteger("nodes", 4);
  private static final int ENTRIES = Integer.getInteger("entries", 10);
  private static final int IDLE_SECONDS = Integer.getInteger("idle", 0);

  @TempDir private Path folder;

  /** What the server counted: commands, octets that came, octets that it sent. */
  private record Load(long commands, long in, long out) {
    static Load of(RealRedis redis) throws Exception {
      String stats = redis.reply("INFO stats");
      return new Load(
          number(stats, "total_commands_processed"),
          number(stats, "total_net_input_bytes"),
          number(stats, "total_net_output_bytes"));
    }

    private static long number(String stats, String name) {
      String from = stats.substring(stats.indexOf(name + ":") + name.length() + 1);
      return Long.parseLong(from.substring(0, from.indexOf('\r')));
    }

    String since(Load before, double by) {
      return "%.1f commands, %.0f octets to Redis, %.0f octets from it"
          .formatted(
              (commands - before.commands) / by, (in - before.in) / by, (out - before.out) / by);
    }
  }

  @Test
  void everyNodeHasEveryEntry() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    FleetStage stage = new FleetStage(folder);
    try (RealRedis redis = RealRedis.start(folder)) {
      for (int i = 0; i < NODES; i++) {
        stage.node("mx" + i, redis.address());
      }
      stage.awaitConnected();
      stage.await("all known", () -> stage.known() == NODES);
      Load load = Load.of(redis);
      long began = System.nanoTime();
      LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
      double seconds = (System.nanoTime() - began) / 1e9;
      System.out.printf(
          "%d nodes, idle, a node a second: %s%n",
          NODES, Load.of(redis).since(load, seconds * NODES));
      long[] took = new long[ENTRIES];
      load = Load.of(redis);
      for (int i = 0; i < ENTRIES; i++) {
        Node node = stage.nodes.get(i % NODES);
        node.put(ListKind.BLOCK, "host" + i + ".example", "a reason");
        long put = System.nanoTime();
        int all = i + 1;
        stage.await("on all", () -> stage.nodes.stream().allMatch(n -> n.all().size() == all));
        took[i] = (System.nanoTime() - put) / 1_000_000;
      }
      Arrays.sort(took);
      System.out.printf(
          "an entry: %s; on all nodes after %d ms (median), %d ms at most%n",
          Load.of(redis).since(load, ENTRIES), took[ENTRIES / 2], took[ENTRIES - 1]);
      System.out.printf(
          "Redis: %s octets for %s commands, %s octets for %s changes of the stream%n",
          redis.reply("MEMORY USAGE test:entries").lines().findFirst().orElse(""),
          redis.reply("HLEN test:entries").lines().findFirst().orElse(""),
          redis.reply("MEMORY USAGE test:changes").lines().findFirst().orElse(""),
          redis.reply("XLEN test:changes").lines().findFirst().orElse(""));
      assertTrue(stage.equal(), "all have the same");
      assertEquals(ENTRIES, stage.nodes.getFirst().all().size());
    } finally {
      stage.close();
    }
  }
}
