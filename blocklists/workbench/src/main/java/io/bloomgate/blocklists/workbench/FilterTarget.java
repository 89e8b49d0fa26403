package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The file that a command makes: nothing but another filter is ever written over. It is written
 * under a name that no other program has, beside the place where it belongs, and gets its own name
 * when it is whole and proven: so two programs that make one file never write into each other's,
 * and what was there before stays until then. On the thread of the command.
 */
final class FilterTarget {

  /** Only its owner reads it: it has the secret seed. */
  private static final String MODE = "rw-------";

  private final Path path;

  /** Writes the whole of a file. */
  @FunctionalInterface
  interface Content {
    /** Writes to a path. */
    String write(Path path) throws IOException;
  }

  /**
   * Looks at the place before any work is done.
   *
   * @throws OfflineException when something else is there, or there is no such directory
   */
  FilterTarget(Path path) throws OfflineException {
    this.path = path;
    refuseOther();
  }

  private void refuseOther() throws OfflineException {
    OfflineException.refuseIf(
        Files.isDirectory(path), path + " is a directory", "name a file with -o");
    InputFiles.requireFolderOf(path, "-o");
    OfflineException.refuseIf(
        Files.exists(path) && !isFilter(path),
        path + " is there, is not a filter file, and is not overwritten",
        "name another file with -o");
  }

  /** The folder where the file will be. */
  Path folder() {
    return folderOf(path);
  }

  private static Path folderOf(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path : parent;
  }

  /**
   * True when the file's first octets are those of a filter; the rest may be damaged. What can be
   * read only once is not looked into.
   *
   * @throws OfflineException when it cannot be read
   */
  static boolean isFilter(Path path) throws OfflineException {
    try {
      return Files.isRegularFile(path)
          && PagedFile.kindOf(path)
              .filter(kind -> FilterKind.ofFile(kind).isPresent() || kind == FilterPack.KIND)
              .isPresent();
    } catch (IOException e) {
      throw InputFiles.unreadable(path, e);
    }
  }

  /**
   * Writes a filter.
   *
   * @throws OfflineException when it cannot be written, or something else came there meanwhile
   */
  LoadedFilter write(MembershipFilter filter, Keying keying) throws OfflineException {
    String digest = write(beside -> FilterFile.write(beside, filter, keying));
    try {
      return new LoadedFilter(path, new FilterFile(filter, keying, digest), Files.size(path));
    } catch (IOException e) {
      throw InputFiles.unwritable(path, e);
    }
  }

  /** Writes any paged file, mode 0600; returns what its writer returned. */
  String write(Content content) throws OfflineException {
    try {
      Path beside = beside(path);
      try {
        String digest = content.write(beside);
        PagedFile.open(beside).verify();
        refuseOther();
        replace(beside, Files.exists(path) ? path.toRealPath() : path);
        return digest;
      } finally {
        Files.deleteIfExists(beside);
      }
    } catch (IOException e) {
      throw InputFiles.unwritable(path, e);
    }
  }

  /** An empty file that its owner alone may read, beside another one. */
  static Path beside(Path path) throws IOException {
    Path beside =
        Files.createTempFile(
            folderOf(path),
            "." + path.getFileName() + "-",
            ".new",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(MODE)));
    // Ctrl-C ends the program without closing this; the second is written first by DurableFiles.
    beside.toFile().deleteOnExit();
    beside.resolveSibling(beside.getFileName() + ".tmp").toFile().deleteOnExit();
    return beside;
  }

  /** Gives a file its name; waits while another program changes the one that has it. */
  private static void replace(Path beside, Path target) throws IOException {
    try (FileChannel old = FileChannel.open(target, StandardOpenOption.WRITE);
        FileLock _ = old.lock()) {
      Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException | AccessDeniedException e) {
      // There is none, or none that this user could change.
      Files.move(beside, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
