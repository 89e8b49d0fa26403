package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.refresh.FeedCommands.ActResult;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small steps that each pass the guard are judged as one large one within a day. */
class VersionOfYesterdayTest extends BreakerStories {

  private static String names(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "n" + i + ".example\n")
        .collect(Collectors.joining());
  }

  private void serve(RefreshStage stage, String text) throws Exception {
    stage.pass(HOUR.plusMinutes(10));
    server.serve("/list", text);
    stage.loop.tick();
  }

  @Test
  void aFeedThatHalvesAtEveryRefreshIsHeldAtTheSecondStep() throws Exception {
    try (RefreshStage s = begun(names(0, 97))) {
      serve(s, names(0, 49));
      assertEquals("fresh", s.state("bad"));
      serve(s, names(0, 25));
      assertEquals("held", s.state("bad"));
      s.assertProblem("bad", "within a day: shrink: 25 entries, 97 were live");
      assertTrue(s.accept("bad") instanceof ActResult.Done);
      serve(s, names(0, 24));
      assertEquals("fresh", s.state("bad"), "what was accepted is not held against it");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "growth, ', guard: {max_growth: 200%, max_turnover: none}', 0, 250, 0, 500",
    "turnover, '', 40, 140, 80, 180"
  })
  void growthAndTurnoverAreJudgedOverADayToo(
      String what, String guard, int from, int to, int nextFrom, int nextTo) throws Exception {
    try (RefreshStage s = begun(names(0, 100), guard)) {
      serve(s, names(from, to));
      assertEquals("fresh", s.state("bad"), s.problem("bad"));
      serve(s, names(nextFrom, nextTo));
      assertEquals("held", s.state("bad"));
      s.assertProblem("bad", "within a day: " + what);
    }
  }

  /**
   * The addresses seen in the last 24 hours, fetched hourly, as nixspam was: 2.2 and 2.7 % between
   * two of its versions that lie 15 minutes apart, and all of it within a day.
   */
  @Test
  void aListOfTheLastDayRollsOverAndIsNotHeld() throws Exception {
    int hourly = 20;
    try (RefreshStage s = begun(names(0, 24 * hourly))) {
      for (int hour = 1; hour <= 30; hour++) {
        // A wave of twice as many now and then.
        int wave = hour % 7 == 0 ? hourly : 0;
        serve(s, names(hour * hourly, (24 + hour) * hourly + wave));
        assertEquals("fresh", s.state("bad"), s.problem("bad"));
      }
      serve(s, names(1_000_000, 1_000_000 + 24 * hourly));
      assertEquals("held", s.state("bad"), "another list altogether");
    }
  }

  @Test
  void theSameStepsOverDaysPassAndOldVersionsGo() throws Exception {
    try (RefreshStage s = begun(names(0, 97))) {
      for (int entries : List.of(49, 25, 13, 7)) {
        s.pass(DAY.multipliedBy(2));
        serve(s, names(0, entries));
        assertEquals("fresh", s.state("bad"), s.problem("bad"));
      }
      assertEquals(3, s.versions("bad").size());
    }
  }

  @Test
  void aVersionOfTheDayBeforeIsKeptBesideTheNewestOnes() throws Exception {
    try (RefreshStage s = begun(names(0, 100))) {
      for (int step = 1; step < 30; step++) {
        s.pass(HOUR);
        serve(s, names(2 * step, 100 + 2 * step));
        assertEquals("fresh", s.state("bad"), s.problem("bad"));
        assertTrue(s.versions("bad").size() <= 8, s.versions("bad").toString());
      }
      // What is compared is little more than a day old: of all steps the turnover is 60 %.
      serve(s, names(60, 160));
      assertEquals("fresh", s.state("bad"), s.problem("bad"));
    }
  }
}
