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

  @Test
  void aFormatThatFitsNotLeavesTheListAsItIs() throws Exception {
    server.serve("/list", ips(0, 30));
    server.serve("/names", NAMES);
    String names = url("names", "/names", "");
    try (RefreshStage s = stage(url("bad", "/list", ", format: lines"), names)) {
      s.loop.tick();
      int asked = server.requests().size();
      for (String format : List.of("json", "csv:2", "spamhaus-json")) {
        s.change(url("bad", "/list", ", format: \"" + format + "\""), names);
        assertTrue(s.listsIp("203.0.113.29"), format);
        assertFalse(s.problem("bad").isEmpty(), format);
        assertEquals("unchanged", s.state("names").replace("fresh", "unchanged"), format);
      }
      assertEquals(asked, server.requests().size(), "the octets are there");
      // What is live stays readable when other feeds are built, and when the gateway starts again.
      server.serve("/names", NAMES + "d.example\n");
      assertEquals(0, s.force("names").exitCode());
      assertTrue(s.listsName("d.example") && s.listsIp("203.0.113.29"));
      s.tickAfter(HOUR.multipliedBy(2));
      int again = server.targets().lastIndexOf("/list");
      assertTrue(again > asked, "asked again, beside the other feed");
      assertFalse(
          server.requests().get(again).containsKey("If-none-match"),
          "304 would say that what is read wrongly is current");
      s.change(url("bad", "/list", ", format: lines"), names);
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals("unchanged", s.state("bad"));
    }
  }

  /** The operator asked for the other spelling of each name; the names are the same. */
  @Test
  void anotherMatchModeAloneIsNoTurnover() throws Exception {
    try (RefreshStage s = begun(NAMES, ", match: exact")) {
      s.pass(HOUR.multipliedBy(48));
      s.change(url("bad", "/list", ", match: suffix"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertTrue(s.listsName("x.a.example"));
      s.change(url("bad", "/list", ", match: exact"));
      assertFalse(s.listsName("x.a.example"));
    }
  }

  @Test
  void anotherFormatAloneIsNoTurnover() throws Exception {
    try (RefreshStage s = begun(NAMES, ", format: domains")) {
      assertFalse(s.listsName("x.a.example"));
      s.change(url("bad", "/list", ", format: wildcard"));
      assertTrue(s.listsName("x.a.example"), s.problem("bad"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  /** A line or two must not decide how the others are read from now on. */
  @Test
  void aFormatThatWasFoundAndChangesIsHeldWithTheseWords() throws Exception {
    try (RefreshStage s = begun(NAMES)) {
      publish(s, NAMES + "a@b.example\n");
      assertTrue(s.listsName("a.example"), "lines reads names as domains does");
      assertEquals("", s.problem("bad"));
      publish(s, "||a.example^\n||b.example^\n||c.example^\n");
      assertEquals("held", s.state("bad"));
      s.assertProblem("bad", "this version reads as adblock, the live one as lines");
      assertFalse(s.listsName("x.a.example"));
      s.change(url("bad", "/list", ", format: adblock"));
      s.force("bad");
      assertTrue(s.listsName("x.a.example"), s.problem("bad"));
    }
  }

  /** What the octets list besides is judged as ever. */
  @Test
  void otherNamesInAnotherMatchModeAreATurnover() throws Exception {
    try (RefreshStage s = begun(NAMES, ", match: exact")) {
      s.settings = RefreshStage.settings(url("bad", "/list", ", match: suffix"));
      server.serve("/list", "x.example\ny.example\nz.example\n");
      s.loop.settingsChanged();
      s.force("bad");
      assertEquals("held", s.state("bad"));
      s.assertProblem("bad", "turnover: 100%");
      assertTrue(s.listsName("a.example") && !s.listsName("x.example"));
    }
  }

  @Test
  void anotherMatchModeGoesLiveAsAnotherVersionWithoutNetwork() throws Exception {
    try (RefreshStage s = begun(NAMES, ", match: exact" + ANY_TURNOVER)) {
      assertFalse(s.listsName("x.a.example"));
      s.pass(Duration.ofMinutes(10));
      s.change(url("bad", "/list", ", match: suffix" + ANY_TURNOVER));
      assertTrue(s.listsName("x.a.example"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertEquals(1, server.requests().size());
      assertEquals(Map.of("bad", START), s.loop.reports().lastSuccess(), "nobody asked the source");
      s.tickAfter(HOUR.multipliedBy(2));
      assertEquals("unchanged", s.state("bad"), "its validators are still good");
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      assertEquals(1, ((ActResult.Done) s.rollback("bad", 0)).version());
      assertFalse(s.listsName("x.a.example"), "a version is read as it was");
    }
  }

  @Test
  void reservedNetworksComeAfterAJudgementAndGoAtOnce() throws Exception {
    try (RefreshStage s = begun(ips(0, 10) + "10.0.0.1\n")) {
      s.change(url("bad", "/list", ", allow_bogons: true"));
      assertTrue(s.listsIp("10.0.0.1"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
      s.change(url("bad", "/list", ", allow_bogons: false"));
      assertFalse(s.listsIp("10.0.0.1"));
      assertEquals(List.of("2 live", "1 kept"), s.versions("bad"));
    }
  }

  /** The guard compares what the settings make of the octets with what is live. */
  @Test
  void aWayThatLosesMostIsHeldAndTheOperatorMayLetItThrough() throws Exception {
    try (RefreshStage s = begun(ips(0, 100).replace("\n", ",192.0.2.1\n"), ", format: \"csv:1\"")) {
      assertTrue(s.listsIp("203.0.113.99"));
      s.change(url("bad", "/list", ", format: \"csv:2\""));
      assertEquals("held", s.state("bad"));
      s.assertProblem("bad", "shrink");
      assertTrue(s.listsIp("203.0.113.99") && !s.listsIp("192.0.2.1"));
      s.accept("bad");
      assertTrue(s.listsIp("192.0.2.1") && !s.listsIp("203.0.113.99"));
    }
  }

  @Test
  void aRollbackHolds() throws Exception {
    try (RefreshStage s = begun(NAMES, ", match: exact" + ANY_TURNOVER)) {
      publish(s, NAMES + "poison.example\n");
      s.rollback("bad", 0);
      s.change(url("bad", "/list", ", match: suffix" + ANY_TURNOVER));
      assertTrue(s.listsName("x.a.example") && !s.listsName("poison.example"));
      s.assertProblem("bad", "rolled back");
      s.change(url("bad", "/list", ", match: exact" + ANY_TURNOVER));
      s.force("bad");
      assertFalse(s.listsName("poison.example"), "the octets that were left");
      assertTrue(s.listsName("a.example") && !s.listsName("x.a.example"));
    }
  }

  /** Killed after the version that was read again is live, and before the record says so. */
  @Test
  void aRollbackHoldsOverAKillToo() throws Exception {
    String suffix = url("bad", "/list", ", match: suffix" + ANY_TURNOVER);
    try (RefreshStage s = begun(NAMES, ", match: exact" + ANY_TURNOVER)) {
      publish(s, NAMES + "poison.example\n");
      s.rollback("bad", 0);
      JsonObject before = storedState();
      s.change(suffix);
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      restoreState(before);
    }
    try (RefreshStage s = stage(suffix)) {
      assertEquals(List.of("3 live", "2 rolled-back", "1 kept"), s.versions("bad"));
      s.assertProblem("bad", "rolled back");
    }
  }

  @Test
  void aNewPlaceIsFetchedAndTheOldContentIsNotReadAgain() throws Exception {
    server.serve("/list", NAMES);
    server.serve("/other", "other.example\nmore.example\nb.example\n");
    try (RefreshStage s = stage(url("bad", "/list", ", match: exact"))) {
      s.loop.tick();
      s.change(url("bad", "/other", ", match: suffix"));
      assertEquals(List.of("/list", "/other"), server.targets());
      assertTrue(s.listsName("x.other.example") && !s.listsName("a.example"));
    }
  }
}
