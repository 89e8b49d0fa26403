package io.bloomgate.blocklists.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.breaker.Tripped;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.key.DomainName;
import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.ListKey;
import io.bloomgate.config.json.JsonValue.JsonArray;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a breaker trips, when it does not, and how long it holds: real feeds, a clock by hand. */
class BreakerTest extends BreakerStories {

  @Test
  void tripsAtTheTwentiethGoodNetworkAndForNewEntriesOnly() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40))) {
      hit(s, 0, 19);
      assertFalse(observes(s, 0));
      assertEquals(List.of(), s.alarms);
      hit(s, 19, 20);
      assertTrue(observes(s, 0), "one that was hit");
      assertTrue(observes(s, 39), "one that was not hit yet");
      assertFalse(observes(s, 90), "one that was listed before");
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(s.alarms.getFirst().startsWith("feed bad: breaker: the 40 entries new in"));
      assertTrue(s.problem("bad").contains("`bloomgate feeds accept bad` lifts it"));
      hit(s, 20, 40);
      assertEquals(1, s.alarms.size(), "told once");
      JsonArray shown =
          (JsonArray) s.refresher.show("bad").orElseThrow().get("breaker").orElseThrow();
      assertEquals(1, shown.elements().size());
      assertTrue(shown.toString().contains("198.18.7.0/24"), shown.toString());
    }
  }

  @Test
  void aFloodFromOneNetworkNeverTrips() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + "198.18.7.0/24\n")) {
      for (int i = 0; i < 10_000; i++) {
        IpAddress client = client(7, i % 256);
        s.breaker.hit(listing(s, new ListKey.Ip(client)), client, s.now);
      }
      assertEquals(Tripped.NONE, s.breaker.tripped());
    }
  }

  @Test
  void networksThatWereNotGoodBeforeThePublishDoNotCount() throws Exception {
    try (RefreshStage s = poisoned(hosts(200, 205), hosts(200, 205) + hosts(100, 200))) {
      hit(s, 100, 200);
      assertEquals(Tripped.NONE, s.breaker.tripped(), "never seen");
      s.pass(Duration.ofMinutes(1));
      for (int i = 100; i < 200; i++) {
        s.senders.accepted(client(i, 1), "", s.now);
      }
      hit(s, 100, 200);
      assertEquals(Tripped.NONE, s.breaker.tripped(), "accepted only since");
    }
  }

  @Test
  void olderEntriesNeverTripAndTheProbationEnds() throws Exception {
    String all = hosts(0, 60);
    try (RefreshStage s = poisoned(all, all + "192.0.2.1\n")) {
      // The first load brought them, before any mail.
      hit(s, 0, 60);
      assertEquals(Tripped.NONE, s.breaker.tripped());
      next(s, all + "192.0.2.1\n" + hosts(60, 90));
      s.pass(DAY.plusSeconds(1));
      hit(s, 60, 90);
      assertEquals(Tripped.NONE, s.breaker.tripped(), "24 hours are over");
    }
  }

  /** A feed that publishes every hour: what came with the first of them is watched all the day. */
  @Test
  void laterPublishesDoNotHideAnEarlierOne() throws Exception {
    String first = hosts(90, 95) + hosts(0, 40);
    try (RefreshStage s = poisoned(hosts(90, 95), first)) {
      for (int i = 1; i <= 10; i++) {
        next(s, first + "192.0.2." + i + "\n");
      }
      hit(s, 0, 20);
      assertTrue(observes(s, 39));
    }
  }

  @Test
  void holdsOverARestartAndIsReadOfflineUntilTheOperatorAccepts() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40))) {
      hit(s, 0, 20);
      s.senders.save();
    }
    try (RefreshStage s = begin()) {
      s.pass(DAY);
      assertTrue(observes(s, 3));
      assertTrue(s.problem("bad").contains("breaker"));
      StoredFeeds stored = StoredFeeds.read(stateDir, List.of("bad"), s.now);
      assertTrue(stored.tripped().holds(listing(s, 3)));
      assertTrue(s.breaker.accept("bad"));
      assertFalse(s.breaker.accept("bad"));
      assertFalse(observes(s, 3));
      s.pass(Duration.ofDays(-1));
      hit(s, 0, 40);
      assertFalse(observes(s, 3), "what was accepted never trips again");
    }
    try (RefreshStage s = begin()) {
      assertFalse(observes(s, 3));
      assertEquals("", s.problem("bad"));
    }
  }

  @Test
  void countsGoOnAfterAKill() throws Exception {
    try (RefreshStage s = poisoned(hosts(90, 95), hosts(90, 95) + hosts(0, 40))) {
      hit(s, 0, 19);
      s.breaker.tick();
      s.senders.save();
    }
    try (RefreshStage s = begin()) {
      s.pass(HOUR.multipliedBy(2));
      hit(s, 0, 19);
      assertFalse(observes(s, 0), "the same networks");
      hit(s, 19, 20);
      assertTrue(observes(s, 0));
    }
  }

  @Test
  void isLiftedByTheVersionThatListsNoneOfThem() throws Exception {
    String clean = hosts(90, 95);
    try (RefreshStage s = poisoned(clean, clean + hosts(0, 40))) {
      hit(s, 0, 20);
      next(s, clean + hosts(38, 40));
      assertTrue(observes(s, 39), "some are left");
      next(s, clean + "192.0.2.1\n");
      assertEquals(Tripped.NONE, s.breaker.tripped());
      assertEquals("", s.problem("bad"));
    }
  }

  @Test
  void watchesNamesRangesAndIpv6() throws Exception {
    String names =
        IntStream.range(0, 30).mapToObj(i -> "n" + i + ".example\n").collect(Collectors.joining());
    String after = names + "198.18.0.0-198.18.9.255\n2001:db8:0:1::-2001:db8:0:3::\n192.0.2.1\n";
    try (RefreshStage s = poisoned("192.0.2.1\n192.0.2.8/29\n", after)) {
      hitName(s, 0, 9);
      for (int i = 0; i < 10; i++) {
        hitAs(s, "198.18." + i + ".77", 20 + i);
      }
      assertEquals(Tripped.NONE, s.breaker.tripped());
      hitAs(s, "2001:db8:0:2::7", 50);
      assertTrue(s.breaker.tripped().holds(name(s, 29)));
      assertTrue(s.breaker.tripped().holds(address(s, "198.18.3.3")));
      assertTrue(s.breaker.tripped().holds(address(s, "2001:db8:0:1::1")));
      assertFalse(s.breaker.tripped().holds(address(s, "192.0.2.1")));
    }
  }

  private static void hitName(RefreshStage s, int from, int to) {
    for (int i = from; i < to; i++) {
      s.breaker.hit(name(s, i), client(i, 1), s.now);
    }
  }

  private static void hitAs(RefreshStage s, String listed, int network) {
    s.breaker.hit(address(s, listed), client(network, 1), s.now);
  }

  private static Listing name(RefreshStage s, int i) {
    DomainName name = DomainName.parse("n" + i + ".example").toOptional().orElseThrow();
    return listing(s, new ListKey.Domain(name));
  }

  @Test
  void aFirstLoadIsWatchedToo() throws Exception {
    try (RefreshStage s = stage(url("bad", "/list", LOOSE + ", action: reject"))) {
      for (int i = 0; i < 100; i++) {
        s.senders.accepted(client(i, 1), "", s.now);
      }
      s.pass(Duration.ofMinutes(1));
      server.serve("/list", hosts(0, 50));
      s.refresher.tick();
      hit(s, 0, 20);
      assertTrue(observes(s, 49));
    }
  }

  @Test
  void theNumberIsTheOperatorsAndNoneSwitchesItOff() throws Exception {
    server.serve("/list", hosts(0, 50));
    String guard = ", guard: {breaker: %s}";
    try (RefreshStage s = stage(url("bad", "/list", guard.formatted("3")))) {
      for (int i = 0; i < 100; i++) {
        s.senders.accepted(client(i, 1), "", s.now);
      }
      s.refresher.tick();
      s.settings = RefreshStage.settings(url("bad", "/list", guard.formatted("none")));
      hit(s, 0, 50);
      assertEquals(Tripped.NONE, s.breaker.tripped());
      s.settings = RefreshStage.settings(url("bad", "/list", guard.formatted("3")));
      hit(s, 0, 2);
      assertEquals(Tripped.NONE, s.breaker.tripped());
      hit(s, 2, 3);
      assertTrue(observes(s, 49));
    }
  }
}
