package io.bloomgate.blocklists.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library of SQLite is unpacked where the system runs code. */
final class FreshFolderTest {

  @TempDir private Path folder;

  @Test
  void aFolderRunsCodeUnlessItIsKnownNotTo() throws Exception {
    assertTrue(SqliteLibrary.runsCode(folder));
    assertTrue(SqliteLibrary.runsCode(folder.resolve("none")));
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aFolderThatIsMountedWithNoexecRunsNone() throws Exception {
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    Assumptions.assumeTrue(
        ran("mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", mounted.toString()),
        "only root can mount");
    try {
      assertFalse(SqliteLibrary.runsCode(mounted));
    } finally {
      ran("umount", mounted.toString());
    }
  }

  private static boolean ran(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void withoutCodeInTheTemporaryFolderOneAboveTheDatabaseIsTaken() throws Exception {
    Path state = folder.toRealPath().resolve("state/sessions");
    Path temporary = folder.resolve("tmp");
    assertEquals(temporary, SqliteLibrary.freshIn(temporary, state, _ -> true));
    Path other = SqliteLibrary.freshIn(temporary, state, place -> !place.equals(temporary));
    assertFalse(other.equals(temporary));
    assertTrue(state.startsWith(other), other.toString());
    assertEquals(temporary, SqliteLibrary.freshIn(temporary, state, _ -> false));
  }
}
