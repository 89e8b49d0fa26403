package io.bloomgate.gateway.incidents;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.Decisions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the file holds after batches that reach its end, or are larger than the whole file. */
final class IncidentRingTest {

  private static final int SLOTS = 7;

  @TempDir private Path folder;

  private static List<IncidentRing.Numbered> incidents(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(number ->
            new IncidentRing.Numbered(
                number,
                Incident.of(
                    Decisions.with(
                        Decisions.refused("203.0.113.7", "drop" + number),
                        IncidentId.format(number),
                        Instant.EPOCH.plusSeconds(number)),
                    Privacy.FULL)))
        .toList();
  }

  /** The newest incidents that fit, each with its report. */
  private static void holdsTheNewest(IncidentRing ring, int last) throws IOException {
    List<String> found = new ArrayList<>();
    List<String> wanted = new ArrayList<>();
    for (int number = 1; number <= last; number++) {
      found.add(ring.find(number).map(Incident::feed).orElse("gone"));
      wanted.add(number > last - SLOTS ? "drop" + number : "gone");
    }
    assertEquals(wanted, found);
  }

  @Test
  void batchesOfAnySizeLeaveTheNewest() throws IOException {
    int last = 0;
    for (int count : new int[] {1, 3, 5, 2, SLOTS, 4, 3 * SLOTS + 2, 6, 1}) {
      try (IncidentRing ring = IncidentRing.open(folder.resolve("ring"), SLOTS)) {
        ring.append(incidents(last + 1, count));
        last += count;
        holdsTheNewest(ring, last);
      }
      try (IncidentRing ring = IncidentRing.open(folder.resolve("ring"), SLOTS)) {
        holdsTheNewest(ring, last);
      }
    }
  }
}
