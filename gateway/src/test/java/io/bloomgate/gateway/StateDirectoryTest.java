package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may start a gateway on a state directory. */
final class StateDirectoryTest {

  /** Every Linux has a user of this number. */
  private static final int DAEMON = 1;

  @TempDir private Path directory;

  @Test
  void rootMakesNoFilesInTheDirectoryOfAnotherUser() throws Exception {
    assumeTrue(System.getProperty("user.name").equals("root"), "only root is another user");
    GatewayHouse house = new GatewayHouse(directory).write();
    Path state = directory.resolve("state");
    Files.setAttribute(state, "unix:uid", DAEMON);
    String owner = Files.getOwner(state).getName();
    long before = count(state);
    StartFailure failure = assertThrows(StartFailure.class, house::start);
    assertEquals(StartFailure.PERMISSION, failure.exitCode());
    assertEquals(1, failure.lines().size());
    String line = failure.lines().getFirst();
    assertTrue(line.contains(state + " belongs to the user " + owner + ", and root"), line);
    assertTrue(line.contains("`runuser -u " + owner + " -- bloomgate run`"), line);
    assertEquals(before, count(state));
  }

  private static long count(Path folder) throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
