package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.refresh.RefreshStage;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.FleetSettings.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list is judged once, by the leader: what followers make of its versions. */
class FollowedListsTest {

  private static final String STRICT =
      "guard: {max_turnover: 1%, max_shrink: 1%, max_growth: 1%, breaker: 1}";

  @TempDir Path folder;

  private static List<String> hosts(int from, int to) {
    return IntStream.range(from, to).mapToObj(FollowedListsTest::host).toList();
  }

  private static String host(int network) {
    return "198.18." + network + ".9";
  }

  /** Mail of these networks has been accepted for days. */
  private static void know(RefreshStage stage, int from, int to) {
    for (int day = 0; day < 3; day++) {
      for (String host : hosts(from, to)) {
        stage.senders.accepted(
            IpAddress.parse(host).toOptional().orElseThrow(),
            "a@partner.example",
            FleetPair.NOW.minus(Duration.ofDays(day)));
      }
    }
  }

  private static List<String> with(List<String> lines, List<String> more) {
    List<String> all = new ArrayList<>(lines);
    all.addAll(more);
    return all;
  }

  @Test
  void whatTheLeaderHasLiveIsNotJudgedAgain() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, STRICT)) {
      pair.list(hosts(0, 100));
      know(pair.follower, 100, 200);
      pair.list(hosts(90, 200));
      pair.assertEqual("turnover, and good senders of the follower alone");
      pair.list(hosts(90, 92));
      pair.assertEqual("shrink");
    }
  }

  @Test
  void entriesThatTheLeaderHoldsBackAreHeldBackByAll() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, FleetPair.LOOSE)) {
      List<String> old = List.of("203.0.113.7");
      pair.list(old);
      know(pair.leader, 0, 100);
      pair.list(with(old, hosts(0, 40)));
      assertFalse(pair.leader.listsIp(host(7)), "the breaker");
      assertFalse(pair.follower.listsIp(host(7)));
      assertTrue(pair.follower.listsIp("203.0.113.7"));
      assertEquals(FleetPair.id(pair.leader), FleetPair.id(pair.follower));
      assertInstanceOf(ActResult.Done.class, pair.leader.accept("hosts"));
      pair.follow();
      assertTrue(pair.follower.listsIp(host(7)));
      pair.assertEqual("accepted on the leader");
    }
  }

  @Test
  void aRollbackOfTheLeaderIsOneOfAll() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, STRICT)) {
      pair.list(hosts(0, 100));
      pair.list(hosts(0, 10));
      assertInstanceOf(ActResult.Done.class, pair.leader.rollback("hosts", 0));
      pair.follow();
      pair.assertEqual("rolled back");
      assertTrue(pair.follower.listsIp(host(99)));
    }
  }

  @Test
  void aFollowerRollsBackForItselfUntilThereIsAnotherVersion() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, FleetPair.LOOSE)) {
      pair.list(hosts(0, 100));
      pair.list(hosts(0, 90));
      assertInstanceOf(ActResult.Done.class, pair.follower.rollback("hosts", 0));
      pair.follow();
      assertTrue(pair.follower.listsIp(host(99)));
      pair.list(hosts(0, 80));
      pair.assertEqual("another version");
    }
  }

  @Test
  void withoutTheLeaderAFollowerFetchesAndJudgesAndComesBack() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, STRICT)) {
      pair.list(hosts(0, 100));
      Path own = folder.resolve("mx2.txt");
      Files.writeString(own, String.join("\n", hosts(0, 100)) + "\n203.0.113.7\n");
      pair.later(Duration.ofDays(1));
      assertTrue(pair.follower.listsIp("203.0.113.7"), "its own file");
      Files.writeString(own, "203.0.113.7\n");
      pair.later(Duration.ofDays(1));
      assertEquals("held", pair.follower.state("hosts"), "it judges now");
      pair.list(hosts(0, 50));
      pair.assertEqual("the leader is back");
      assertFalse(pair.follower.listsIp("203.0.113.7"));
    }
  }

  /** Another node gets the lease: what this one published is what it follows then. */
  @Test
  void aNodeThatLedFollowsFromWhatItPublished() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, FleetPair.LOOSE)) {
      String old;
      String published;
      try (Fleet node = pair.fleet("mx3", Role.AUTO)) {
        pair.list(hosts(0, 10));
        node.step();
        old = node.state("hosts");
        node.serve(pair.leader.loop.reports()::liveVersions, () -> {});
        node.lead(1L << 42); // leases are numbered by milliseconds
        pair.list(hosts(0, 20));
        pair.later(Duration.ofDays(1));
        pair.alarms.clear();
        node.step();
        assertFalse(node.covers("hosts"), "it fetches for all");
        node.lead(0);
        node.step();
        assertTrue(node.covers("hosts"), "the next leader is waited for");
        published = node.state("hosts");
        assertNotEquals(old, published, "not what it took before it led");
        assertEquals(List.of(), pair.alarms);
      }
      try (Fleet again = pair.fleet("mx3", Role.AUTO)) {
        assertEquals(published, again.state("hosts"), "also after a restart");
      }
    }
  }

  @Test
  void aVersionThatIsNoListHereLeavesTheLastGoodOne() throws Exception {
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, FleetPair.LOOSE)) {
      pair.list(hosts(0, 100));
      String before = FleetPair.id(pair.follower);
      try (var files = Files.newDirectoryStream(folder.resolve("published"), "*.gz")) {
        for (Path file : files) {
          Files.write(file, new byte[(int) Files.size(file)]);
        }
      }
      pair.follow();
      assertEquals(before, FleetPair.id(pair.follower), "damaged files");
      assertTrue(pair.follower.problem("hosts").contains("is not what SHA256SUMS there says"));
      assertTrue(pair.follower.listsIp(host(99)));
      pair.list(hosts(0, 90));
      pair.assertEqual("the next version");
    }
  }
}
