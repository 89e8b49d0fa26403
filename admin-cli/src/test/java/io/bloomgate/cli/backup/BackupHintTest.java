package io.bloomgate.cli.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What to do when a backup cannot be written. */
class BackupHintTest {

  private static final Path FILE = Path.of("/srv/backup/today.tar.gz");

  @Test
  void aFullDiskNamesNoFileButTheFolderIsKnown() {
    assertEquals(
        "no file was written; `df -h /srv/backup` shows whether the disk is full: free some space,"
            + " or name a file on another disk",
        BackupCommand.hint(FILE, new IOException("No space left on device")));
  }

  @Test
  void aFileThatIsNamedIsLookedAt() {
    assertEquals(
        "no file was written; look at /var/lib/bloomgate/operator.db",
        BackupCommand.hint(
            FILE, new FileSystemException("/var/lib/bloomgate/operator.db", null, "I/O error")));
  }
}
