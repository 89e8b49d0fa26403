package io.bloomgate.blocklists.refresh;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.file.FreeSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is nearly full is not filled up by lists. */
class FreeRoomTest {

  @TempDir private Path directory;
  private long free = FreeSpace.LIST_RESERVE_OCTETS + 1_000;

  private FeedFiles store() throws IOException {
    return new FeedFiles(directory.resolve("feeds"), path -> free);
  }

  @Test
  void nothingIsFetchedIntoTheReserve() throws IOException {
    FeedFiles files = store();
    assertTrue(Files.isDirectory(files.incoming("drop")));
    free = FreeSpace.LIST_RESERVE_OCTETS - 1;
    IOException full = assertThrows(IOException.class, () -> files.incoming("drop"));
    assertTrue(
        full.toString().contains("state_dir has 63 MiB free, and 64 MiB are wanted"),
        full.toString());
    assertFalse(Files.exists(directory.resolve("feeds/drop/incoming")));
  }

  /** In a chroot, or on an odd file system; a gateway without lists would refuse nothing. */
  @Test
  void listsAreStoredWhereTheFreeSpaceIsNotKnown() throws IOException {
    FeedFiles files =
        new FeedFiles(
            directory.resolve("feeds"),
            path -> {
              throw new IOException("Mount point not found");
            });
    assertTrue(Files.isDirectory(files.incoming("drop")));
  }

  @Test
  void theFreeSpaceIsThatOfTheFileSystem() throws IOException {
    long usable = directory.toFile().getUsableSpace();
    long known = FreeSpace.octets(directory);
    assertTrue(Math.abs(known - usable) < (1L << 32), known + " and " + usable);
    Path missing = directory.resolve("missing");
    assertThrows(IOException.class, () -> FreeSpace.octets(missing));
  }

  @Test
  void aFetchNeedsRoomForAsMuchAsTheLastVersionHad() throws IOException {
    FeedFiles files = store();
    Path version = directory.resolve("feeds/drop/versions/1");
    Files.createDirectories(version);
    files.incoming("drop");
    Files.write(version.resolve("part-0"), new byte[1_000]);
    files.incoming("drop");
    Files.write(version.resolve("part-0"), new byte[1_001]);
    assertThrows(FeedFiles.NoRoomException.class, () -> files.incoming("drop"));
  }
}
