package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** The errors about a file that a command named, in the same words everywhere. */
final class FilterFiles {

  private FilterFiles() {}

  /**
   * Checks that a file is there and can be read.
   *
   * @throws OfflineException when the file is not there, is a directory or may not be read
   */
  static void requireReadable(Path file) throws OfflineException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    if (Files.isDirectory(file)) {
      throw OfflineException.failed(file + " is a directory", "name a file");
    }
    if (!Files.isReadable(file)) {
      throw forbidden("read", file);
    }
  }

  /**
   * The same for a filter, which is read in any order: a pipe would be waited for without end.
   *
   * @throws OfflineException also when it is a pipe or a device
   */
  static void requireFile(Path file) throws OfflineException {
    requireReadable(file);
    if (!Files.isRegularFile(file)) {
      throw OfflineException.failed(file + " is a pipe or a device, not a filter", "name a file");
    }
  }

  /**
   * The same for a file of lines.
   *
   * @throws OfflineException also when it is a filter
   */
  static void requireLines(Path file) throws OfflineException {
    requireReadable(file);
    try {
      String other =
          Files.isRegularFile(file) ? PagedFile.kindOf(file).map(FileKind::title).orElse("") : "";
      OfflineException.refuseIf(
          !other.isEmpty(),
          file + " is a " + other + ", not a list",
          "name the list that it was made of");
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * Checks that there is a directory for a file that will be written.
   *
   * @param option that names the file
   * @throws OfflineException when there is none
   */
  static void requireFolderOf(Path file, String option) throws OfflineException {
    OfflineException.refuseIf(
        isRedis(file),
        "this command writes a file, not a key of Redis",
        "`bloomgate filter push` writes a key");
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw OfflineException.failed(
          "there is no directory " + folder, "make it, or name another file with " + option);
    }
  }

  /** True for a filter; every file must be there and be readable. */
  static boolean isReadableFilter(Path file) throws OfflineException {
    requireReadable(file);
    return Target.isFilter(file);
  }

  /** The error when a file could not be read. */
  static OfflineException unreadable(Path file, IOException e) {
    return switch (e) {
      case DamagedFileException damaged ->
          new OfflineException(Kind.DAMAGED, String.valueOf(damaged.getMessage()), "", e);
      case NoSuchFileException missing -> missing(file);
      case AccessDeniedException denied -> forbidden("read", file);
      default -> OfflineException.failed(file + " cannot be read: " + reason(e), "", e);
    };
  }

  /** The error when a file could not be written. */
  static OfflineException unwritable(Path file, IOException e) {
    return e instanceof AccessDeniedException
        ? forbidden("write", file)
        : OfflineException.failed(file + " cannot be written: " + reason(e), "", e);
  }

  private static String reason(IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  /** True for what was an address before it became a path. */
  private static boolean isRedis(Path file) {
    return file.toString().startsWith("redis:/") || file.toString().startsWith("rediss:/");
  }

  private static OfflineException missing(Path file) {
    if (isRedis(file)) {
      // It may have a password, so it is not shown.
      return OfflineException.usage(
          "this command takes a file, not a key of Redis", "`bloomgate filter query` asks a key");
    }
    return OfflineException.usage("there is no file " + file, "check the path");
  }

  private static OfflineException forbidden(String verb, Path file) {
    return new OfflineException(
        Kind.FORBIDDEN, "you may not " + verb + " " + file, "become root or a member of its group");
  }

  /**
   * The file that a command makes: nothing but another filter is ever written over. It is written
   * under a name that no other program has, beside the place where it belongs, and gets its own
   * name when it is whole and proven: so two programs that make one file never write into each
   * other's, and what was there before stays until then. On the thread of the command.
   */
  static final class Target {

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
    Target(Path path) throws OfflineException {
      this.path = path;
      refuseOther();
    }

    private void refuseOther() throws OfflineException {
      OfflineException.refuseIf(
          Files.isDirectory(path), path + " is a directory", "name a file with -o");
      FilterFiles.requireFolderOf(path, "-o");
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
        throw FilterFiles.unreadable(path, e);
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
        throw FilterFiles.unwritable(path, e);
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
        throw FilterFiles.unwritable(path, e);
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
}
