package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.demo.Demo;
import io.bloomgate.gateway.demo.Training;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The traffic from which Java learns: it goes through, and the program after it meets a gateway.
 */
final class TrainingTest {

  @TempDir Path folder;

  @Test
  void everyMailPassesAndTheProgramFindsTheSocket() throws Exception {
    Path seen = folder.resolve("seen");
    Demo.Surroundings world =
        new Demo.Surroundings(
            Thread.ofVirtual().factory(), InstantSource.system(), System::nanoTime, () -> {});
    new Training(Main::startForDemo, world, new Training.Size(100, 2, 1, 1))
        .run(List.of("sh", "-c", "test -S \"$BLOOMGATE_ADMIN__SOCKET\" && echo met > " + seen));
    assertEquals(List.of("met"), Files.readAllLines(seen));
  }

  @Test
  void theCommandIsForTheLauncherAlone() {
    Arguments parsed = Arguments.parse(List.of("train", "java", "--once"));
    assertEquals(new Arguments.Train(List.of("java", "--once")), parsed);
    assertTrue(!Arguments.USAGE.contains("train"), Arguments.USAGE);
  }
}
