package io.bloomgate.blocklists.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From which folders the library of SQLite can be loaded, and where it goes. */
final class MountOptionsTest {

  private static final List<String> TABLE =
      List.of(
          "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
          "23 22 0:21 / /tmp rw,nosuid,nodev,noexec - tmpfs tmpfs rw",
          "24 23 0:22 / /tmp/ours rw - tmpfs tmpfs rw",
          "25 22 0:23 / /my\\040disk rw,noexec - tmpfs tmpfs rw",
          "26 22 0:24 / /twice rw,noexec - tmpfs tmpfs rw",
          "27 22 0:25 / /twice rw - tmpfs tmpfs rw",
          "no line of a table");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "/, true",
    "/var/lib/bloomgate, true",
    "/tmp, false",
    "/tmp/a/b, false",
    "/tmpfiles, true",
    "/tmp/ours/a, true",
    "/my disk/a, false",
    "/twice/a, true"
  })
  void theNearestMountPointCounts(Path place, boolean runs) {
    assertEquals(runs, SqliteLibrary.MountOptions.runsCode(place, TABLE));
  }

  @Test
  void theTableOfThisSystemIsRead() {
    assertTrue(SqliteLibrary.MountOptions.runsCode(Path.of("/")));
    assertTrue(SqliteLibrary.MountOptions.runsCode(folder.resolve("none")));
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
