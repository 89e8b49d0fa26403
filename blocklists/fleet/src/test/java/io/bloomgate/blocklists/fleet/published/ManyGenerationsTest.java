package io.bloomgate.blocklists.fleet.published;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader and a follower with their own stores: after each of many random changes one id. */
class ManyGenerationsTest {

  private static final int GENERATIONS = 25;

  @TempDir Path folder;

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  /** Some lines go, some come, and now and then the order changes. */
  private void change(List<String> lines) {
    for (int i = random.nextInt(20); i > 0 && !lines.isEmpty(); i--) {
      lines.remove(random.nextInt(lines.size()));
    }
    for (int i = 1 + random.nextInt(20); i > 0; i--) {
      String line =
          random.nextBoolean()
              ? "host" + random.nextInt(1_000_000) + ".example"
              : "198.18." + random.nextInt(256) + "." + random.nextInt(256);
      lines.add(random.nextInt(lines.size() + 1), line);
    }
  }

  @Test
  void equalIdsAfterEachOfManyRandomChanges() throws Exception {
    List<String> lines = new ArrayList<>();
    try (FleetPair pair = new FleetPair(folder, FleetPair.LOOSE, FleetPair.LOOSE)) {
      String before = "";
      for (int i = 0; i < GENERATIONS; i++) {
        change(lines);
        pair.list(lines);
        pair.assertEqual("number " + i + ", seed " + seed);
        assertNotEquals(before, FleetPair.id(pair.leader), () -> "nothing changed; seed " + seed);
        before = FleetPair.id(pair.leader);
      }
    }
  }
}
