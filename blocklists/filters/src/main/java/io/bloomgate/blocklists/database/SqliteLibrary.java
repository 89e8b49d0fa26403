package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.file.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Chooses the directory where the native part of SQLite is unpacked: a separate one beside the
 * database, where the one process that writes there unpacks it once for each version. The driver's
 * default is the directory for temporary files, which every user may write, and from which hardened
 * systems run no code; there the driver unpacks it at each start and compares it octet by octet,
 * which took a tenth of a start. Where the database is another user's, as the service's is for
 * root, or others may write beside it, it is a fresh directory of this process: among the temporary
 * files, or where the system runs no code from there, in a directory above the database. Called by
 * {@link SqliteFile} before each connection; the driver looks at the first one only.
 */
public final class SqliteLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);

  /**
   * The driver's setting; a value that the operator has set is kept. Where it has a value, files
   * may have to be removed at the end of the process.
   */
  public static final String DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

  /** The driver's setting for a directory with a library that is unpacked already. */
  private static final String LIBRARY_PROPERTY = "org.sqlite.lib.path";

  public static final String DIRECTORY = "native";

  /** The bits of a mode that let the group and others write; chmod(2). */
  private static final int WRITTEN_BY_OTHERS = 0022;

  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private SqliteLibrary() {}

  /**
   * Names the directory to the driver. A reader that makes the directory removes it at its end: the
   * driver's own file, which was noted later, goes before.
   *
   * @param beside directory of the database
   * @param owner true for the one process that writes there: it removes what killed ones left
   */
  static synchronized void unpack(Path beside, boolean owner) {
    if (System.getProperty(DIRECTORY_PROPERTY) != null
        || System.getProperty(LIBRARY_PROPERTY) != null) {
      return;
    }
    try {
      System.setProperty(
          DIRECTORY_PROPERTY, besideOf(beside, owner).orElseGet(() -> fresh(beside)).toString());
    } catch (UncheckedIOException e) {
      LOG.warn(
          "no separate directory for the library of SQLite can be made: {}; -D{}=DIRECTORY names"
              + " one",
          e.getMessage(),
          DIRECTORY_PROPERTY);
      System.setProperty(DIRECTORY_PROPERTY, System.getProperty("java.io.tmpdir"));
    }
  }

  /** True for a folder, and no link, of the user of this process that nobody else may write. */
  private static boolean isOurs(Path folder) throws IOException {
    // Made by the kernel: a file that we make in order to look at its owner could be exchanged.
    Object self = Files.getAttribute(Path.of("/proc/self").toRealPath(), "unix:uid");
    return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
        && self.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))
        && Files.getAttribute(folder, "unix:mode", LinkOption.NOFOLLOW_LINKS)
            instanceof Integer mode
        && (mode & WRITTEN_BY_OTHERS) == 0;
  }

  /** A folder beside the database; empty where it cannot be made, or is another user's. */
  private static Optional<Path> besideOf(Path beside, boolean owner) {
    try {
      Path real = beside.toRealPath();
      if (!isOurs(real)) {
        return Optional.empty();
      }
      Path directory = real.resolve(DIRECTORY);
      if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(directory, OWNER_ONLY);
        if (!owner) {
          directory.toFile().deleteOnExit();
        }
      }
      if (!isOurs(directory) || !Files.isWritable(directory)) {
        return Optional.empty();
      }
      Path kept = directory.resolve(version());
      Path library = kept.resolve(LibraryLoaderUtil.getNativeLibName());
      if (owner) {
        removeLeftovers(directory);
        keep(library, kept);
      }
      if (Files.isRegularFile(library, LinkOption.NOFOLLOW_LINKS)) {
        System.setProperty(LIBRARY_PROPERTY, kept.toString());
      }
      return Optional.of(directory);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      LOG.debug("the library of SQLite is not unpacked in {}: {}", beside, e.toString());
      return Optional.empty();
    }
  }

  /** The version of the driver, and the machine: the directory may have come from another one. */
  private static String version() {
    return SQLiteJDBCLoader.getVersion() + "-" + System.getProperty("os.arch");
  }

  /** Stores the library whole, or not at all; without it the driver unpacks its own. */
  private static void keep(Path library, Path in) throws IOException {
    if (Files.exists(library, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String packed =
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + LibraryLoaderUtil.getNativeLibName();
    try (InputStream from = SQLiteJDBCLoader.class.getResourceAsStream(packed)) {
      if (from != null) {
        DurableFiles.deleteTree(in);
        DurableFiles.createPrivateDirectory(in);
        DurableFiles.replace(library, from.readAllBytes());
      }
    }
  }

  /** Makes a directory of this process alone (mode 0700), which is deleted at its end. */
  private static Path fresh(Path beside) {
    try {
      Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
      Path directory =
          Files.createTempDirectory(
              freshIn(temporary, beside, SqliteLibrary::runsCode), "bloomgate-sqlite-");
      directory.toFile().deleteOnExit();
      return directory.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The directory for a fresh one: that for temporary files, if code runs from there; or else the
   * nearest one above the database that is of this user, and in which this process may write.
   *
   * @param runsCode true for a directory from which the system runs code
   */
  static Path freshIn(Path temporary, Path beside, Predicate<Path> runsCode) throws IOException {
    if (runsCode.test(temporary)) {
      return temporary;
    }
    for (Path above = beside.toAbsolutePath(); above != null; above = above.getParent()) {
      if (Files.isDirectory(above)
          && Files.isWritable(above)
          && isOurs(above.toRealPath())
          && runsCode.test(above)) {
        return above;
      }
    }
    return temporary;
  }

  /** The driver removes its file at a clean end only; and what other versions kept. */
  private static void removeLeftovers(Path directory) throws IOException {
    String version = version();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        if (!file.endsWith(version)) {
          DurableFiles.deleteTree(file);
        }
      }
    }
  }

  /**
   * False where the system runs no code: hardened systems mount the folder for temporary files with
   * {@code noexec}, under which access(2) says of no file that it may be executed. True where that
   * is not known.
   */
  static boolean runsCode(Path folder) {
    try {
      Path probe = Files.createTempFile(folder, "bloomgate-sqlite-", ".so", OWNER_ONLY);
      try {
        return Files.isExecutable(probe);
      } finally {
        Files.delete(probe);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return true;
    }
  }
}
