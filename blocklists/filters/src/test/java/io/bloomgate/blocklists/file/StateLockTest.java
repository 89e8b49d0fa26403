package io.bloomgate.blocklists.file;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lock of a state directory is a file in it, and no other one. */
class StateLockTest {

  @TempDir private Path folder;

  /** Root restores into a directory in which the service's user can put links. */
  @Test
  void aLinkInsteadOfTheLockIsNotFollowed() throws Exception {
    Path state = Files.createDirectory(folder.resolve("state"));
    Path target = folder.resolve("target");
    Files.createSymbolicLink(state.resolve(StateLock.FILE_NAME), target);
    assertThrows(FileSystemException.class, () -> StateLock.take(state).orElseThrow().close());
    assertFalse(Files.exists(target));
  }
}
