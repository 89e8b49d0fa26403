package io.bloomgate.blocklists.score;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.database.FeedStates;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Octets of feeds by day. */
final class FetchedOctetsTest {

  private static final Instant DAY = Instant.parse("2026-10-01T12:00:00Z");

  @TempDir private Path folder;

  @Test
  void octetsAreSummedByDayAndSurviveARestart() throws Exception {
    try (FeedStates states = FeedStates.open(folder, _ -> {})) {
      FetchedOctets octets = new FetchedOctets(states);
      assertEquals(Optional.empty(), octets.since("drop", DAY));
      octets.add("drop", 10, DAY);
      octets.add("drop", 5, DAY.plusSeconds(60));
      octets.add("drop", 1, DAY.plus(Duration.ofDays(1)));
      octets.add("other", 100, DAY);
    }
    try (FeedStates states = FeedStates.open(folder, _ -> {})) {
      FetchedOctets octets = new FetchedOctets(states);
      assertEquals(Optional.of(16L), octets.since("drop", DAY.plusSeconds(3_600)));
      assertEquals(Optional.of(1L), octets.since("drop", DAY.plus(Duration.ofDays(1))));
      assertEquals(Optional.of(0L), octets.since("drop", DAY.plus(Duration.ofDays(2))));
    }
  }

  @Test
  void theOldestDaysAreForgotten() throws Exception {
    try (FeedStates states = FeedStates.open(folder, _ -> {})) {
      FetchedOctets octets = new FetchedOctets(states);
      for (int day = 0; day <= FetchedOctets.MAX_DAYS; day++) {
        octets.add("drop", 1, DAY.plus(Duration.ofDays(day)));
      }
      assertEquals(Optional.of((long) FetchedOctets.MAX_DAYS), octets.since("drop", Instant.EPOCH));
    }
  }
}
