package io.bloomgate.blocklists.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the native part of SQLite is unpacked: in a separate directory beside the database. The
 * driver's default is the directory for temporary files, which every user may write, and from which
 * hardened systems run no code. Where others could exchange what is beside the database, as the
 * service's user can for root, it is a fresh directory of this process. Called by {@link
 * SqliteFile} and {@link SqliteCopy} before each connection; the driver looks at the first one
 * only.
 */
public final class SqliteLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);

  /** The driver's setting; a value that the operator has set is kept. */
  private static final String DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

  public static final String DIRECTORY = "native";

  private SqliteLibrary() {}

  /**
   * Names the directory to the driver. A reader that makes the directory removes it at its end: the
   * driver's own file, which was noted later, goes before.
   *
   * @param beside directory of the database
   * @param owner true for the one process that writes there: it removes what killed ones left
   */
  static synchronized void unpack(Path beside, boolean owner) {
    if (System.getProperty(DIRECTORY_PROPERTY) != null) {
      return;
    }
    try {
      System.setProperty(
          DIRECTORY_PROPERTY, besideOf(beside, owner).orElseGet(SqliteLibrary::fresh).toString());
    } catch (UncheckedIOException e) {
      LOG.warn(
          "no separate directory for the library of SQLite can be made: {}; -D{}=DIRECTORY names"
              + " one",
          e.getMessage(),
          DIRECTORY_PROPERTY);
    }
  }

  /** Empty where it cannot be made, or where another user could exchange what is in it. */
  private static Optional<Path> besideOf(Path beside, boolean owner) {
    try {
      FolderTrust trust = FolderTrust.ofThisProcess();
      Path real = beside.toRealPath();
      if (!trust.keepsOurs(real)) {
        return Optional.empty();
      }
      Path directory = real.resolve(DIRECTORY);
      if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!owner) {
          directory.toFile().deleteOnExit();
        }
      }
      if (!trust.holdsOurs(directory) || !Files.isWritable(directory)) {
        return Optional.empty();
      }
      if (owner) {
        removeLeftovers(directory);
      }
      return Optional.of(directory);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      LOG.debug("the library of SQLite is not unpacked in {}: {}", beside, e.toString());
      return Optional.empty();
    }
  }

  /** Of this process alone (mode 0700), and gone at its end. */
  private static Path fresh() {
    try {
      Path directory = Files.createTempDirectory("bloomgate-sqlite-");
      directory.toFile().deleteOnExit();
      return directory.toAbsolutePath();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The driver removes its file at a clean end only. */
  private static void removeLeftovers(Path directory) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "sqlite-*")) {
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
