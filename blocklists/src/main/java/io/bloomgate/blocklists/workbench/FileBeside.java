package io.bloomgate.blocklists.workbench;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A file that a command makes. It is written under a name that no other program has, beside the
 * place where it belongs, and gets its own name when it is whole: so two programs that make one
 * file never write into each other's, and what was there before stays until then. Used by the
 * workbench on the thread of the command.
 */
final class FileBeside implements Closeable {

  private final Path path;

  private FileBeside(Path path) {
    this.path = path;
  }

  /**
   * An empty file.
   *
   * @param target where it belongs
   * @param mode as {@code ls} shows it, from which the mask of the process is taken
   */
  static FileBeside of(Path target, String mode) throws IOException {
    Path folder = target.toAbsolutePath().getParent();
    Path path =
        Files.createTempFile(
            folder == null ? target.toAbsolutePath() : folder,
            "." + target.getFileName() + "-",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode)));
    // Ctrl-C ends the program without closing this; the second is written first by DurableFiles.
    path.toFile().deleteOnExit();
    path.resolveSibling(path.getFileName() + ".tmp").toFile().deleteOnExit();
    return new FileBeside(path);
  }

  /** The path to which it is written. */
  Path path() {
    return path;
  }

  /**
   * Gives it its name, in place of the file that has it; waits while another program changes that.
   */
  void replace(Path target) throws IOException {
    try (FileChannel old = FileChannel.open(target, StandardOpenOption.WRITE);
        FileLock _ = old.lock()) {
      move(target);
    } catch (NoSuchFileException | AccessDeniedException e) {
      // There is none, or none that this user could change.
      move(target);
    }
  }

  private void move(Path target) throws IOException {
    Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Gives it its name; fails when a file has it. */
  void place(Path target) throws IOException {
    try {
      Files.createLink(target, path);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // This file system has no such links.
      Files.move(path, target);
    }
  }

  /** Removes what has no own name. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}
