package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stories of settings that make another list of the octets that are stored. */
class ChangedReadingTest extends RefreshStories {

  private static final String ANY_TURNOVER = ", guard: {max_turnover: none}";
  private static final String NAMES = "a.example\nb.example\nc.example\n";

  private static void change(RefreshStage s, String... sources) throws Exception {
    s.settings = RefreshStage.settings(sources);
    s.loop.settingsChanged();
    s.loop.tick();
  }

  @Test
  void aFormatThatFitsNotLeavesTheListAsItIs() throws Exception {
    server.serve("/list", ips(0, 30));
    server.serve("/names", NAMES);
    String names = url("names", "/names", "");
    try (RefreshStage s = stage(url("bad", "/list", ", format: lines"), names)) {
      s.loop.tick();
      int asked = server.requests().size();
      for (String format : List.of("json", "csv:2", "spamhaus-json")) {
        change(s, url("bad", "/list", ", format: \"" + format + "\""), names);
        assertTrue(s.listsIp("203.0.113.29"), format);
        assertFalse(s.problem("bad").isEmpty(), format);
        assertEquals("unchanged", s.state("names").replace("fresh", "unchanged"), format);
      }
      assertEquals(asked, server.requests().size(), "the octets are there");
      // What is live stays readable when other feeds are built, and when the gateway starts again.
      server.serve("/names", NAMES + "d.example\n");
      assertEquals(0, s.refresh(List.of("names"), false, true).exitCode());
      assertTrue(s.listsName("d.example") && s.listsIp("203.0.113.29"));
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      int again = server.targets().lastIndexOf("/list");
      assertTrue(again > asked, "asked again, beside the other feed");
      assertFalse(
          server.requests().get(again).containsKey("If-none-match"),
          "304 would say that what is read wrongly is current");
      change(s, url("bad", "/list", ", format: lines"), names);
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("unchanged", s.state("bad"));
    }
  }

  /** The operator asked for the other spelling of each name; the names are the same. */
  @Test
  void anotherMatchModeAloneIsNoTurnover() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact"))) {
      s.loop.tick();
      s.pass(HOUR.multipliedBy(48));
      change(s, url("bad", "/list", ", match: suffix"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertTrue(s.listsName("x.a.example"));
      change(s, url("bad", "/list", ", match: exact"));
      assertFalse(s.listsName("x.a.example"));
    }
  }

  @Test
  void anotherFormatAloneIsNoTurnover() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", format: domains"))) {
      s.loop.tick();
      assertFalse(s.listsName("x.a.example"));
      change(s, url("bad", "/list", ", format: wildcard"));
      assertTrue(s.listsName("x.a.example"), s.problem("bad"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  /** A line or two must not decide how the others are read from now on. */
  @Test
  void aFormatThatWasFoundAndChangesIsHeldWithTheseWords() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
      server.serve("/list", NAMES + "a@b.example\n");
      s.refresh(List.of("bad"), false, true);
      assertTrue(s.listsName("a.example"), "lines reads names as domains does");
      assertEquals("", s.problem("bad"));
      server.serve("/list", "||a.example^\n||b.example^\n||c.example^\n");
      s.refresh(List.of("bad"), false, true);
      assertEquals("held", s.state("bad"));
      assertTrue(
          s.problem("bad").contains("this version reads as adblock, the live one as lines"),
          s.problem("bad"));
      assertFalse(s.listsName("x.a.example"));
      change(s, url("bad", "/list", ", format: adblock"));
      s.refresh(List.of("bad"), false, true);
      assertTrue(s.listsName("x.a.example"), s.problem("bad"));
    }
  }

  /** What the octets list besides is judged as ever. */
  @Test
  void otherNamesInAnotherMatchModeAreATurnover() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact"))) {
      s.loop.tick();
      s.settings = RefreshStage.settings(url("bad", "/list", ", match: suffix"));
      server.serve("/list", "x.example\ny.example\nz.example\n");
      s.loop.settingsChanged();
      s.refresh(List.of("bad"), false, true);
      assertEquals("held", s.state("bad"));
      assertTrue(s.problem("bad").contains("turnover: 100%"), s.problem("bad"));
      assertTrue(s.listsName("a.example") && !s.listsName("x.example"));
    }
  }

  @Test
  void anotherMatchModeGoesLiveAsAnotherVersionWithoutNetwork() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact" + ANY_TURNOVER))) {
      s.loop.tick();
      assertFalse(s.listsName("x.a.example"));
      s.pass(Duration.ofMinutes(10));
      change(s, url("bad", "/list", ", match: suffix" + ANY_TURNOVER));
      assertTrue(s.listsName("x.a.example"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertEquals(1, server.requests().size());
      assertEquals(Map.of("bad", START), s.loop.reports().lastSuccess(), "nobody asked the source");
      s.pass(HOUR.multipliedBy(2));
      s.loop.tick();
      assertEquals("unchanged", s.state("bad"), "its validators are still good");
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertEquals(1, ((ActResult.Done) s.rollback("bad", 0)).version());
      assertFalse(s.listsName("x.a.example"), "a version is read as it was");
    }
  }

  @Test
  void reservedNetworksComeAfterAJudgementAndGoAtOnce() throws Exception {
    server.serve("/list", ips(0, 10) + "10.0.0.1\n");
    try (RefreshStage s = stage(url("bad", "/list", ""))) {
      s.loop.tick();
      change(s, url("bad", "/list", ", allow_bogons: true"));
      assertTrue(s.listsIp("10.0.0.1"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      change(s, url("bad", "/list", ", allow_bogons: false"));
      assertFalse(s.listsIp("10.0.0.1"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  /** The guard compares what the settings make of the octets with what is live. */
  @Test
  void aWayThatLosesMostIsHeldAndTheOperatorMayLetItThrough() throws Exception {
    server.serve("/list", ips(0, 100).replace("\n", ",192.0.2.1\n"));
    try (RefreshStage s = stage(url("bad", "/list", ", format: \"csv:1\""))) {
      s.loop.tick();
      assertTrue(s.listsIp("203.0.113.99"));
      change(s, url("bad", "/list", ", format: \"csv:2\""));
      assertEquals("held", s.state("bad"));
      assertTrue(s.problem("bad").contains("shrink"), s.problem("bad"));
      assertTrue(s.listsIp("203.0.113.99") && !s.listsIp("192.0.2.1"));
      s.accept("bad");
      assertTrue(s.listsIp("192.0.2.1") && !s.listsIp("203.0.113.99"));
    }
  }

  @Test
  void aRollbackHolds() throws Exception {
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact" + ANY_TURNOVER))) {
      s.loop.tick();
      server.serve("/list", NAMES + "poison.example\n");
      s.refresh(List.of("bad"), false, true);
      s.rollback("bad", 0);
      change(s, url("bad", "/list", ", match: suffix" + ANY_TURNOVER));
      assertTrue(s.listsName("x.a.example") && !s.listsName("poison.example"));
      assertTrue(s.problem("bad").contains("rolled back"), s.problem("bad"));
      change(s, url("bad", "/list", ", match: exact" + ANY_TURNOVER));
      s.refresh(List.of("bad"), false, true);
      assertFalse(s.listsName("poison.example"), "the octets that were left");
      assertTrue(s.listsName("a.example") && !s.listsName("x.a.example"));
    }
  }

  /** Killed after the version that was read again is live, and before the record says so. */
  @Test
  void aRollbackHoldsOverAKillToo() throws Exception {
    String suffix = url("bad", "/list", ", match: suffix" + ANY_TURNOVER);
    server.serve("/list", NAMES);
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact" + ANY_TURNOVER))) {
      s.loop.tick();
      server.serve("/list", NAMES + "poison.example\n");
      s.refresh(List.of("bad"), false, true);
      s.rollback("bad", 0);
      JsonObject before = storedState();
      change(s, suffix);
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      restoreState(before);
    }
    try (RefreshStage s = stage(suffix)) {
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      assertTrue(s.problem("bad").contains("rolled back"), s.problem("bad"));
    }
  }

  @Test
  void aNewPlaceIsFetchedAndTheOldContentIsNotReadAgain() throws Exception {
    server.serve("/list", NAMES);
    server.serve("/other", "other.example\nmore.example\nb.example\n");
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact"))) {
      s.loop.tick();
      change(s, url("bad", "/other", ", match: suffix"));
      assertEquals(List.of("/list", "/other"), server.targets());
      assertTrue(s.listsName("x.other.example") && !s.listsName("a.example"));
    }
  }
}
