package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetStage.Node;
import org.junit.jupiter.api.Test;

/** The lease of the leader and its number, which only rises. */
class FleetLeaseTest extends FleetStories {

  @Test
  void eachLeaseHasAHigherNumberAlsoWhenRedisLostThem() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node node = stage.node("mx1", redis.address());
      stage.await("it leads", node::leads);
      long first = node.lease;
      admin.commands().set("test:leader", "mx2 of-the-test");
      stage.await("it leads no more", () -> !node.leads());
      admin.commands().del("test:leader");
      stage.await("it leads again", node::leads);
      long second = node.lease;
      assertTrue(second > first, second + " after " + first);
      stage.highestNumber = second + 1_000_000;
      redis.kill();
      stage.await("it leads nobody", () -> !node.leads());
      startAgain();
      stage.await("it leads after the loss", node::leads);
      assertTrue(node.lease > stage.highestNumber, node.lease + " after " + stage.highestNumber);
    }
  }

  /**
   * Another node that has not seen the last publications gets another number: each of three quick
   * leases is numbered by the clock.
   */
  @Test
  void theNumbersOfQuickLeasesDoNotRunAheadOfTheClock() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node node = stage.node("mx1", redis.address());
      stage.await("it leads", node::leads);
      stage.highestNumber = node.lease + 3;
      admin.commands().set("test:leader", "mx2 of-the-test");
      stage.await("it leads no more", () -> !node.leads());
      admin.commands().del("test:leader");
      stage.await("it leads again", node::leads);
      assertTrue(node.lease > stage.highestNumber, node.lease + " after " + stage.highestNumber);
      assertTrue(node.lease <= admin.millis(), node.lease + " is not of the clock");
    }
  }

  /** A full server still prolongs a lease; it takes no heartbeat. */
  @Test
  void aLeaderOfAFullRedisLeadsOn() throws Exception {
    try (RedisServer admin = RedisServer.at(redis.address())) {
      Node node = stage.node("mx1", redis.address());
      stage.await("it leads", node::leads);
      long before = node.lease;
      redis.command("CONFIG SET maxmemory 1");
      stage.await("it is full", () -> node.shared.problem().contains("is full"));
      stage.await("said", () -> node.shared.problem().contains("this node leads on"));
      admin.commands().pexpire("test:leader", 5_000);
      stage.await("prolonged", () -> admin.commands().pttl("test:leader") > 5_000);
      assertEquals(before, node.lease);
      assertTrue(node.shared.figures().leads());
      redis.command("CONFIG SET maxmemory 0");
      stage.awaitConnected();
      assertEquals(before, node.lease);
    }
  }
}
