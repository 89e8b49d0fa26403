package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.settings.Mode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which column a session is counted in. */
final class SessionCountsTest {

  private static final Instant BEGINS = Instant.EPOCH;

  private static SessionCounts of(Outcome outcome, String verdict) {
    return of(outcome, verdict, Mode.OBSERVE);
  }

  private static SessionCounts of(Outcome outcome, String verdict, Mode mode) {
    return SessionCounts.of(BEGINS, outcome, verdict, mode == Mode.OBSERVE, false, 3);
  }

  @Test
  void eachOutcomeHasItsColumn() {
    assertEquals(
        new SessionCounts(BEGINS, 3, 0, 0, 0, 0, 0, 0, 0), of(Outcome.DELIVERED, "accept"));
    assertEquals(new SessionCounts(BEGINS, 3, 0, 3, 0, 0, 0, 0, 0), of(Outcome.DELIVERED, "tag"));
    assertEquals(
        new SessionCounts(BEGINS, 3, 3, 0, 0, 0, 0, 0, 0),
        of(Outcome.DELIVERED, "tag", Mode.ENFORCE));
    assertEquals(
        new SessionCounts(BEGINS, 3, 0, 0, 3, 0, 0, 0, 0), of(Outcome.DELIVERED, "tempfail"));
    assertEquals(new SessionCounts(BEGINS, 0, 0, 0, 0, 3, 0, 0, 0), of(Outcome.REFUSED, "reject"));
    assertEquals(
        new SessionCounts(BEGINS, 0, 0, 0, 0, 0, 3, 0, 0), of(Outcome.REFUSED, "greylist"));
    assertEquals(new SessionCounts(BEGINS, 0, 0, 0, 0, 0, 0, 3, 0), of(Outcome.ABANDONED, ""));
  }

  @Test
  void everyColumnIsAdded() {
    assertEquals(
        new SessionCounts(BEGINS, 65, 130, 260, 520, 1040, 2080, 4160, 8320),
        new SessionCounts(BEGINS, 1, 2, 4, 8, 16, 32, 64, 128)
            .plus(
                new SessionCounts(
                    BEGINS.plusSeconds(1), 64, 128, 256, 512, 1024, 2048, 4096, 8192)));
  }
}
