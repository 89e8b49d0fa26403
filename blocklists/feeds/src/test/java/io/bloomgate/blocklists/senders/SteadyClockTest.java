package io.bloomgate.blocklists.senders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What is believed of a clock that leaps. */
class SteadyClockTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration YEAR = Duration.ofDays(365);

  private Instant wall = NOW;
  private long nanos = -5;
  private final SteadyClock clock = new SteadyClock(() -> wall, () -> nanos);

  /** Time goes by in steps, as somebody looks at the clock now and then. */
  private void pass(Duration time) {
    Duration left = time;
    while (left.isPositive()) {
      Duration step = left.compareTo(HOUR) > 0 ? HOUR : left;
      wall = wall.plus(step);
      nanos += step.toNanos();
      clock.instant();
      left = left.minus(step);
    }
  }

  @Test
  void followsAClockThatGoesEvenly() {
    pass(Duration.ofDays(3));
    wall = wall.plusSeconds(2);
    assertEquals(wall, clock.instant(), "a drift is corrected");
    assertEquals(NOW, clock.atMost(NOW));
    assertEquals(wall, clock.atMost(wall.plusSeconds(9)));
  }

  @Test
  void aLeapAheadIsBelievedWhenItHasStoodForADay() {
    pass(Duration.ofDays(2));
    Instant before = wall;
    wall = wall.plus(YEAR);
    assertEquals(before, clock.instant());
    pass(Duration.ofHours(23));
    assertEquals(before.plus(Duration.ofHours(23)), clock.instant(), "it goes on");
    assertFalse(clock.isTrusted());
    pass(HOUR);
    assertEquals(wall, clock.instant());
    assertFalse(clock.isTrusted(), "believed, and not trusted to throw away by");
    pass(Duration.ofHours(25));
    assertTrue(clock.isTrusted());
  }

  @Test
  void aLeapThatIsTakenBackLeavesNothing() {
    pass(Duration.ofDays(2));
    for (int i = 0; i < 30; i++) {
      wall = wall.plus(YEAR);
      pass(HOUR);
      wall = wall.minus(YEAR);
      pass(HOUR);
      assertEquals(wall, clock.instant(), "leap " + i);
    }
  }

  @Test
  void aClockThatIsSetBackIsFollowedAtOnce() {
    pass(Duration.ofDays(2));
    wall = wall.minus(YEAR);
    assertEquals(wall, clock.instant());
    assertFalse(clock.isTrusted());
  }

  /** A host without a battery for its clock begins in the year of its image. */
  @Test
  void aClockMayBeSetRightSoonAfterTheStart() {
    pass(Duration.ofMinutes(5));
    wall = wall.plus(YEAR);
    assertEquals(wall, clock.instant());
    pass(Duration.ofMinutes(15));
    wall = wall.plus(YEAR);
    assertEquals(wall.minus(YEAR), clock.instant());
  }

  @Test
  void noClockIsTrustedOnItsFirstDay() {
    pass(Duration.ofHours(23));
    assertFalse(clock.isTrusted());
    pass(HOUR);
    assertTrue(clock.isTrusted());
  }
}
