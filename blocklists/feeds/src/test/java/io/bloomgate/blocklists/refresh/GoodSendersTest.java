package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.generation.KnownGood;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.blocklists.senders.FeedHits;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who counts as a good sender when a finished generation is asked, and what is held back for them:
 * entries, never a version. Real feeds, a clock by hand.
 */
class GoodSendersTest extends BreakerStories {

  private static final String OLD = "203.0.113.7\n";

  private static void accept(RefreshStage s, String client, String from, String helo, int days) {
    for (int day = 0; day < days; day++) {
      s.senders.accepted(
          IpAddress.parse(client).toOptional().orElseThrow(),
          from,
          helo,
          s.now.minus(DAY.multipliedBy(day)));
    }
  }

  /** A feed that refuses, lists {@link #OLD} and takes any change. */
  private RefreshStage refusing(String more) throws Exception {
    server.serve("/list", OLD);
    RefreshStage s = stage(url("bad", "/list", LOOSE + ", action: reject" + more));
    s.loop.tick();
    return s;
  }

  private RefreshStage refusing() throws Exception {
    return refusing("");
  }

  @Test
  void moreThanFiveAtOnceAreHeldAndTheRestOfTheVersionGoesLive() throws Exception {
    try (RefreshStage s = refusing()) {
      accept(s, 0, 200, 3);
      next(s, OLD + "192.0.2.1\n" + hosts(0, 6));
      assertEquals(0, listed(s, 0, 6));
      assertTrue(s.listsIp("203.0.113.7"));
      assertTrue(s.listsIp("192.0.2.1"));
      s.assertProblem("bad", "the limit is 6, so 6 entries");
      next(s, OLD + hosts(0, 6) + hosts(9, 10));
      assertEquals(0, listed(s, 0, 10), "in the next version too");
    }
  }

  @Test
  void fiveAtOnceGoLive() throws Exception {
    try (RefreshStage s = refusing()) {
      accept(s, 0, 200, 3);
      next(s, OLD + hosts(0, 5));
      assertEquals(5, listed(s, 0, 5));
    }
  }

  /** A list that only observes is watched over a week: nothing of it can be refused at once. */
  @Test
  void aListThatRefusesNothingIsNotLimitedAtOnce() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + "192.0.2.1\n")) {
      accept(s, 0, 200, 3);
      next(s, OLD + hosts(0, 6));
      assertEquals(6, listed(s, 0, 6));
    }
  }

  /** Thirty spam mails that passed on one day, by whatever name, free nobody. */
  @Test
  void mailOfOneDayOrTwoHoldsNothing() throws Exception {
    try (RefreshStage s = refusing(", format: lines, match: suffix")) {
      accept(s, 0, 6, 2);
      for (int i = 0; i < 6; i++) {
        accept(s, host(i), "a@partner.example", "mail.partner.example", 2);
      }
      next(s, OLD + hosts(0, 6) + "partner.example\n");
      assertEquals(6, listed(s, 0, 6));
      assertTrue(s.listsName("partner.example"));
      assertEquals(List.of(), s.alarms);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"partner.example", "mx@partner.example", "helo.example"})
  void aNameIsHeldForNetworksThatAreKnownWithIt(String entry) throws Exception {
    try (RefreshStage s = refusing(", format: lines, match: suffix")) {
      for (int i = 0; i < 8; i++) {
        accept(s, host(i), "mx+7@partner.example", "mail.helo.example", 3);
      }
      next(s, OLD + entry + "\n");
      assertFalse(names(s, entry), s.problem("bad"));
      assertTrue(s.listsIp("203.0.113.7"));
      s.assertProblem("bad", " by " + entry);
    }
  }

  private static boolean names(RefreshStage s, String entry) {
    return entry.contains("@") ? s.listsMailbox(entry) : s.listsName(entry);
  }

  /** Anybody can claim a name: one that known networks sent with once says nothing. */
  @Test
  void aNameThatWasForgedOnceHoldsNothing() throws Exception {
    try (RefreshStage s = refusing(", format: lines, match: suffix")) {
      for (int i = 0; i < 8; i++) {
        accept(s, host(i), "a@partner.example", "mail.partner.example", 3);
        accept(s, host(i), "a@forged.example", "forged-helo.example", 1);
      }
      next(s, OLD + "forged.example\nforged-helo.example\n");
      assertTrue(s.listsName("forged.example"));
      assertTrue(s.listsName("forged-helo.example"));
      assertEquals(List.of(), s.alarms);
    }
  }

  @Test
  void whomTwoOtherListsNameIsNotGood() throws Exception {
    server.serve("/list", OLD);
    server.serve("/one", hosts(0, 40));
    server.serve("/two", hosts(0, 20));
    try (RefreshStage s =
        stage(
            url("one", "/one", LOOSE),
            url("two", "/two", LOOSE),
            url("bad", "/list", LOOSE + ", checks: [client_ip]"))) {
      s.loop.tick();
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 20));
      assertEquals(List.of(), s.alarms);
      next(s, OLD + hosts(0, 40));
      assertEquals(20, hitNetworks(s).size(), "one other list is not enough");
      assertTrue(hitNetworks(s).contains("198.18.20.0/24"), hitNetworks(s).toString());
    }
  }

  /** Lists of one publisher repeat each other. */
  @Test
  void listsOfOneFamilyAreOneOther() throws Exception {
    server.serve("/list", OLD);
    server.serve("/one", hosts(0, 40));
    try (RefreshStage s =
        stage(
            url("one", "/one", LOOSE + ", family: same"),
            url("two", "/one", LOOSE + ", family: same"),
            url("bad", "/list", LOOSE))) {
      s.loop.tick();
      accept(s, 0, 100, 3);
      next(s, OLD + hosts(0, 20));
      assertEquals(20, hitNetworks(s).size());
    }
  }

  @Test
  void networksOfOneHolderOfIpv6AreOne() throws Exception {
    try (RefreshStage s = refusing()) {
      StringBuilder list = new StringBuilder(OLD);
      accept(s, 0, 200, 3);
      for (int i = 0; i < 8; i++) {
        accept(s, "2a0b:1:2%x0::5".formatted(i), "a@partner.example", "", 3);
        list.append("2a0b:1:2%x0::5\n".formatted(i));
      }
      next(s, list.toString());
      assertTrue(s.listsIp("2a0b:1:210::5"));
      assertEquals(List.of("2a0b:1::/32"), hitNetworks(s));
    }
  }

  @Test
  void whatNeverBlockIgnoresIsANoteFromTheFirstVersionOn() throws Exception {
    StringBuilder list = new StringBuilder(OLD);
    IntStream.range(128, 138).forEach(i -> list.append("209.85." + i + ".7\n"));
    server.serve("/list", list.toString());
    try (RefreshStage s = stage(url("bad", "/list", LOOSE + ", action: reject"))) {
      s.protectedSets =
          ProtectedSet.of(Set.of(NeverBlock.MAIL_PROVIDERS), List.of(), List.of(), List.of());
      accept(s, 0, 100, 3);
      s.loop.tick();
      assertFalse(s.listsIp("209.85.128.7"));
      assertEquals(FeedStatus.Health.NOTE, s.show("bad").status().health());
      assertTrue(
          s.problem("bad").startsWith("10 addresses of large providers are ignored; nothing to do"),
          s.problem("bad"));
      assertEquals(List.of(), s.alarms);
      next(s, list + "209.85.127.7\n" + hosts(0, 1));
      assertEquals(1, listed(s, 0, 1), "it takes nothing else with it");
      assertEquals(List.of(), s.alarms);
    }
  }

  /** A subject of a file or an allow entry counts as one more good sender. */
  @Test
  void whatAnOwnerNamesCountsToo() throws Exception {
    KnownGood owners =
        subjects -> {
          for (String name : List.of("a.example", "b.example", "c.example")) {
            subjects.accept(DomainName.parse(name).toOptional().orElseThrow(), name);
          }
          subjects.accept(IpPrefix.parse("192.0.2.0/24").toOptional().orElseThrow(), "network");
        };
    try (RefreshStage s = refusing(", format: lines, match: suffix")) {
      s.goodFiles = new KnownGood.Reader((_, _) -> owners, _ -> "");
      s.allowed =
          List.of(
              DomainName.parse("d.example").toOptional().orElseThrow(),
              DomainName.parse("e.example").toOptional().orElseThrow());
      next(s, OLD + "a.example\nb.example\n192.0.2.9\n");
      assertTrue(s.listsName("a.example"), "three are not too many");
      next(s, OLD + "c.example\n");
      next(s, OLD + "a.example\nb.example\n192.0.2.9\nd.example\ne.example\nwww.f.example\n");
      next(s, OLD + "x.example\n");
      next(s, OLD + "a.example\nb.example\nc.example\n192.0.2.9\nd.example\ne.example\n");
      assertFalse(s.listsName("a.example"), s.problem("bad"));
      assertFalse(s.listsIp("192.0.2.9"));
      assertTrue(s.listsIp("203.0.113.7"));
    }
  }

  @Test
  void anAcceptedEntryMayGoAndComeBack() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + hosts(0, 10))) {
      assertEquals(0, listed(s, 0, 10));
      s.accept("bad");
      assertEquals(10, listed(s, 0, 10));
      next(s, OLD);
      next(s, OLD + hosts(0, 10));
      assertEquals(10, listed(s, 0, 10));
      assertEquals("", s.problem("bad"));
    }
  }

  @Test
  void anAlarmIsNotedByAnOperatorUntilItGetsWorse() throws Exception {
    try (RefreshStage s = poisoned(OLD, OLD + hosts(0, 2))) {
      assertEquals(FeedStatus.Health.ALARM, s.show("bad").status().health());
      assertTrue(s.breaker.note("bad", "root", s.now).orElseThrow().startsWith("noted by root "));
      assertEquals(FeedStatus.Health.NOTE, s.show("bad").status().health());
      assertTrue(s.problem("bad").startsWith("noted by root until 2026-11-28T"), s.problem("bad"));
      assertTrue(s.breaker.hits("bad").noteAt(s.now).isPresent());
      next(s, OLD + hosts(0, 3));
      assertEquals(FeedStatus.Health.ALARM, s.show("bad").status().health(), "one more");
      s.breaker.note("bad", "root", s.now);
      s.pass(DAY.multipliedBy(8));
      assertTrue(s.breaker.hits("bad").noteAt(s.now).isEmpty(), "for seven days");
      assertTrue(s.breaker.note("other", "root", s.now).isEmpty(), "there is no alarm");
    }
  }

  /** `feeds show` names them while the version waits, as `feeds diff --held` does. */
  @Test
  void aVersionThatWaitsNamesThem() throws Exception {
    try (RefreshStage s = begun(ips(0, 4))) {
      accept(s, 0, 100, 3);
      s.pass(HOUR.plusMinutes(10));
      server.serve("/list", ips(0, 40) + hosts(0, 10));
      s.loop.tick();
      assertEquals("held", s.state("bad"));
      assertEquals(10, s.show("bad").heldKnownGood().subjects());
      assertTrue(
          s.show("bad").heldKnownGood().toString().contains("known sender"),
          s.show("bad").heldKnownGood().toString());
      assertTrue(s.accept("bad") instanceof ActResult.Done, "the version");
      assertEquals(FeedHits.Level.HELD, breaker(s).level());
      assertEquals(10, s.show("bad").heldKnownGood().subjects(), "of the entries");
      assertTrue(s.listsIp("203.0.113.39"));
      assertEquals(0, listed(s, 0, 10));
      assertTrue(s.accept("bad") instanceof ActResult.Done, "its entries");
      assertEquals(10, listed(s, 0, 10));
    }
  }
}
