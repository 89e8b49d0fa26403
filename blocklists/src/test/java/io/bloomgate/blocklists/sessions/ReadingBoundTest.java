package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who reads learns that there was more. */
final class ReadingBoundTest {

  @Test
  void itGrantsTheRowsThatAreLeft() {
    ReadingBound bound = new ReadingBound(10, Duration.ofSeconds(1), () -> 0);
    assertEquals(7, bound.grant(7));
    assertEquals(3, bound.grant(7));
    assertEquals(Optional.empty(), bound.reached(), "perhaps there are no more rows");
    assertEquals(0, bound.grant(1));
    assertEquals(Optional.of("the newest 10 kept sessions"), bound.reached());
  }

  @Test
  void itEndsWithItsTime() {
    long[] nanos = {5};
    ReadingBound bound = new ReadingBound(Long.MAX_VALUE, Duration.ofSeconds(3), () -> nanos[0]);
    nanos[0] += 3_000_000_000L;
    assertEquals(7, bound.grant(7));
    nanos[0]++;
    assertEquals(0, bound.grant(7));
    assertEquals(Optional.of("3 s of reading"), bound.reached());
  }
}
