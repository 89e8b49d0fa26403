package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Which new entries are held back because they list good senders, and until when: real feeds, a
 * clock by hand. A hundred networks are known in most of these, so the limit is five.
 */
class BreakerTest extends BreakerStories {

  private static final String OLD = "203.0.113.7\n";

  @Test
  void holdsWhatHitsGoodSendersAndLetsTheRestLive() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + "192.0.2.1\n" + hosts(0, 40))) {
      assertEquals(0, listed(s, 0, 40));
      assertTrue(s.listsIp("203.0.113.7"), "one that was listed before");
      assertTrue(s.listsIp("192.0.2.1"), "a new one that hits nobody");
      assertEquals(1, s.alarms.size(), s.alarms.toString());
      assertTrue(
          s.alarms.getFirst().startsWith("feed bad: breaker: new entries hit 40 client networks"),
          s.alarms.toString());
      assertTrue(s.problem("bad").contains("`bloomgate feeds accept bad` lets them through"));
      assertEquals(FeedHits.Level.HELD, breaker(s).level());
      assertEquals(5, breaker(s).limit());
      assertEquals(40, hitNetworks(s).size());
      assertTrue(hitNetworks(s).contains("198.18.7.0/24"), hitNetworks(s).toString());
      assertEquals(2, s.line("bad").entries(), "of which two are live");
      next(s, OLD + hosts(0, 40));
      assertEquals(0, listed(s, 0, 40), "in the next version too");
    }
  }

  @Test
  void belowTheLimitTheyGoLiveAndAtAQuarterOfItThereIsAnAlarm() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + host(0) + "\n")) {
      assertEquals(1, listed(s, 0, 1));
      assertEquals(List.of(), s.alarms);
      next(s, OLD + hosts(0, 2));
      assertEquals(2, listed(s, 0, 2));
      assertTrue(s.alarms.getFirst().contains("at 5 they are held back"), s.alarms.toString());
      assertTrue(s.show("bad").status().alarms());
    }
  }

  @Test
  void countsOverSevenDaysAndTakesBackWhatCameWithEarlierVersions() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + host(0) + "\n")) {
      for (int network = 1; network < 4; network++) {
        s.pass(DAY);
        next(s, OLD + hosts(0, network + 1));
        assertEquals(network + 1, listed(s, 0, 10));
      }
      next(s, OLD + hosts(0, 5));
      assertEquals(0, listed(s, 0, 10), "the fifth takes the others with it");
    }
    try (RefreshStage s = begin()) {
      s.pass(DAY.multipliedBy(4).plus(HOUR.multipliedBy(8)));
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 6));
      assertEquals(0, listed(s, 0, 10), "after a restart");
      s.pass(DAY.multipliedBy(9));
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 6) + "192.0.2.1\n");
      assertEquals(0, listed(s, 0, 10), "what is held stays held");
    }
  }

  @Test
  void whatIsOlderThanSevenDaysNoLongerCounts() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + hosts(0, 4))) {
      s.pass(DAY.multipliedBy(8));
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 8));
      assertEquals(8, listed(s, 0, 8));
    }
  }

  @Test
  void anAcceptanceLetsThemThroughAndTheNextVersionRemembersIt() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + hosts(0, 40))) {
      assertTrue(s.accept("bad") instanceof ActResult.Done);
      assertEquals(40, listed(s, 0, 40));
      assertEquals("", s.problem("bad"));
      next(s, OLD + hosts(0, 40) + "192.0.2.1\n");
      assertEquals(40, listed(s, 0, 40));
      next(s, OLD + hosts(0, 80));
      assertEquals(40, listed(s, 0, 80), "others are judged again");
    }
    try (RefreshStage s = begin()) {
      assertEquals(40, listed(s, 0, 80));
    }
  }

  @Test
  void aBuildFromTheStoreHoldsThemToo() throws Exception {
    poisoned(OLD, OLD + hosts(0, 40)).close();
    try (var snapshots = Files.walk(stateDir.resolve("snapshots"))) {
      for (Path file : snapshots.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    try (RefreshStage s = begin()) {
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.7"));
      assertEquals(0, listed(s, 0, 40));
      assertTrue(s.problem("bad").contains("breaker"));
    }
  }

  @Test
  void zeroDaysCountAtOnceAndNoneSwitchesItOff() throws Exception {
    server.serve("/list", hosts(0, 40));
    try (RefreshStage s =
        stage(
            url("bad", "/list", ", guard: {known_after: 0}"),
            url("off", "/list", ", guard: {known_after: 0, breaker: none}"))) {
      accept(s, 0, 100, 1);
      s.loop.tick();
      s.assertProblem("bad", "40 held back: lists good senders");
      assertEquals("", s.problem("off"));
      assertEquals(40, listed(s, 0, 40), "by the other");
    }
  }

  @Test
  void aFeedThatIsNotAskedForAddressesIsNotJudgedByThem() throws Exception {
    try (RefreshStage s = begun(OLD, ", checks: [helo]" + LOOSE)) {
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 40));
      assertEquals(List.of(), s.alarms);
    }
  }

  @Test
  void aSmallSiteHasALimitToo() throws Exception {
    server.serve("/list", OLD);
    try (RefreshStage s = begin()) {
      s.loop.tick();
      accept(s, 0, 12, 3);
      next(s, OLD + host(3) + "\n");
      assertFalse(s.listsIp(host(3)));
    }
  }

  @Test
  void oneAllowEntryOfASmallSiteIsNoAlarm() throws Exception {
    server.serve("/list", OLD);
    try (RefreshStage s = begin()) {
      s.loop.tick();
      accept(s, 0, 12, 3);
      s.allowed = List.of(IpPrefix.parse("203.0.113.9").toOptional().orElseThrow());
      next(s, OLD + "203.0.113.9\n");
      assertTrue(s.listsIp("203.0.113.9"), "it is pardoned by its entry");
      assertEquals(1, breaker(s).networks());
      assertEquals(FeedHits.Level.QUIET, breaker(s).level());
      assertEquals(List.of(), s.alarms);
    }
  }

  @Test
  void oneWideNetworkARangeAndIpv6AreHeldToo() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + "198.18.0.0/17\n198.18.80.0-198.18.99.255\n")) {
      assertEquals(0, listed(s, 0, 100));
      assertEquals(100, breaker(s).networks());
      for (int i = 0; i < 9; i++) {
        for (int day = 0; day < 3; day++) {
          s.senders.accepted(
              io.bloomgate.config.name.IpAddress.parse("2001:db8:" + i + ":1::9")
                  .toOptional()
                  .orElseThrow(),
              "",
              s.now.minus(DAY.multipliedBy(day)));
        }
      }
      next(s, OLD + "2001:db8::/44\n2001:db8:f:1::/64\n");
      assertFalse(s.listsIp("2001:db8:3:1::9"));
      assertTrue(s.listsIp("2001:db8:f:1::9"), "hits nobody");
    }
  }

  @Test
  void theFirstVersionIsNoAlarmThatNobodyCanClear() throws Exception {
    server.serve("/list", OLD + hosts(0, 2));
    try (RefreshStage s = begin()) {
      accept(s, 0, 100, 3);
      s.loop.tick();
      assertEquals(2, listed(s, 0, 2), "below the limit they are live");
      assertEquals(FeedStatus.Health.NOTE, s.show("bad").status().health(), s.problem("bad"));
      assertEquals(List.of(), s.alarms);
    }
  }

  @Test
  void aWayBackForgetsWhatWasCounted() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + hosts(0, 40))) {
      assertTrue(s.rollback("bad", 0) instanceof ActResult.Done);
      assertEquals(0, listed(s, 0, 40));
      assertFalse(s.problem("bad").contains("breaker"), s.problem("bad"));
      next(s, OLD + hosts(0, 41));
      assertEquals(0, listed(s, 0, 41));
    }
  }

  private static final int NETWORKS = 128;

  /** So long that the feed is due whatever its jitter is. */
  private static final Duration STEP = Duration.ofMinutes(67);

  private static final int STEPS = (int) (7 * 24 * 60 / STEP.toMinutes()) + 1;
  private static final String CLEAN = "203.0.113.7\n203.0.113.8\n";

  /** What the feed lists at a step of the week. */
  enum Poison {
    FORTY_A_DAY,
    TWENTY_A_DAY,
    NINETEEN_A_DAY,
    TWENTY_A_DAY_SPREAD,
    ONE_WIDE_NETWORK;

    String text(int step) {
      return switch (this) {
        case FORTY_A_DAY -> hosts(40 * (day(step) + 1));
        case TWENTY_A_DAY -> hosts(20 * (day(step) + 1));
        case NINETEEN_A_DAY -> hosts(19 * (day(step) + 1));
        case TWENTY_A_DAY_SPREAD -> hosts(6 * (step / 6 + 1));
        case ONE_WIDE_NETWORK -> "209.85.128.0/17\n";
      };
    }

    private static int day(int step) {
      return (int) STEP.multipliedBy(step).toDays();
    }

    private static String hosts(int networks) {
      return IntStream.range(0, Math.min(networks, NETWORKS))
          .mapToObj(i -> gmail(i) + "\n")
          .collect(Collectors.joining());
    }
  }

  private static String gmail(int network) {
    return "209.85." + (128 + network) + ".41";
  }

  private static void deliver(RefreshStage stage, int network) {
    IpAddress client = IpAddress.parse(gmail(network)).toOptional().orElseThrow();
    stage.senders.accepted(client, "a@gmail.com", stage.now);
  }

  /** How many of the mails of a week are refused. */
  private int refused(Poison poison, boolean protectedSet) throws Exception {
    server.serve("/list", CLEAN);
    int refused = 0;
    try (RefreshStage stage = stage(url("bad", "/list", LOOSE + ", action: reject"))) {
      if (protectedSet) {
        stage.protectedSets =
            ProtectedSet.of(Set.of(NeverBlock.MAIL_PROVIDERS), List.of(), List.of(), List.of());
      }
      for (int day = 0; day < 3; day++) {
        IntStream.range(0, NETWORKS).forEach(network -> deliver(stage, network));
        stage.pass(DAY);
      }
      stage.loop.tick();
      String served = CLEAN;
      for (int step = 0; step < STEPS; step++) {
        stage.pass(STEP);
        String text = CLEAN + poison.text(step);
        if (!text.equals(served)) {
          server.serve("/list", text);
          served = text;
          stage.loop.tick();
        }
        for (int network = 0; network < NETWORKS; network++) {
          if (stage.listsIp(gmail(network))) {
            refused++;
          } else {
            deliver(stage, network);
          }
        }
      }
      assertTrue(stage.listsIp("203.0.113.7"), "what was listed before");
      assertTrue(
          stage.problem("bad").contains(protectedSet ? "ignored; nothing to do" : "breaker: "),
          "feeds list names it");
    }
    return refused;
  }

  @ParameterizedTest
  @EnumSource(names = {"FORTY_A_DAY", "ONE_WIDE_NETWORK"})
  void noneIsRefusedWhereTheProvidersNetworksAreProtected(Poison poison) throws Exception {
    assertEquals(0, refused(poison, true));
  }

  @ParameterizedTest
  @EnumSource
  void atMostTwentyFiveAreWhereOnlyTheSendersAreKnown(Poison poison) throws Exception {
    int refused = refused(poison, false);
    assertTrue(refused <= 25, poison + ": " + refused);
  }
}
