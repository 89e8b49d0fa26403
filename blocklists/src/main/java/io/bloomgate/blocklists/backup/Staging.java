package io.bloomgate.blocklists.backup;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Files of an archive that belong elsewhere, until they are there: in a folder beside the state
 * directory that only the user of the restore can enter. The state itself belongs to the gateway's
 * user, who may be in other hands and must not choose what root copies. Used by {@link Restore};
 * one thread.
 */
final class Staging {

  private static final String MARK = ".restoring-files-";

  private final Path stateDir;
  private final boolean mounted;
  private @Nullable Path folder;

  /**
   * @param mounted the folder above the state directory may be one that cannot be written
   */
  Staging(Path stateDir, boolean mounted) {
    this.stateDir = stateDir;
    this.mounted = mounted;
  }

  /** The folder, which is made (0700, with a name that nobody knows before) when it is missing. */
  Path folder() throws IOException {
    if (folder == null) {
      folder = make();
    }
    return folder;
  }

  private Path make() throws IOException {
    String name = stateDir.getFileName() + MARK;
    try {
      return Files.createTempDirectory(above(), name);
    } catch (FileSystemException e) {
      if (mounted) {
        return Files.createTempDirectory(name);
      }
      throw e;
    }
  }

  private Path above() {
    return Optional.ofNullable(stateDir.getParent()).orElse(stateDir);
  }

  /** The folder when it was made. */
  Optional<Path> made() {
    return Optional.ofNullable(folder);
  }

  /** Removes it. */
  void forget() throws IOException {
    if (folder != null) {
      DurableFiles.deleteTree(folder);
    }
  }

  /** Removes those that restores left which were killed; the caller has the lock. */
  void tidy() throws IOException {
    List<Path> left = new ArrayList<>();
    if (Files.isReadable(above())) {
      try (DirectoryStream<Path> all =
          Files.newDirectoryStream(
              above(),
              path ->
                  String.valueOf(path.getFileName()).startsWith(stateDir.getFileName() + MARK)
                      && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
        all.forEach(left::add);
      }
    }
    for (Path path : left) {
      DurableFiles.deleteTree(path);
    }
  }
}
