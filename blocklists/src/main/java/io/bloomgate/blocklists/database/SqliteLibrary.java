package io.bloomgate.blocklists.database;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the native part of SQLite is unpacked: in a separate directory beside the database. The
 * driver's default is the directory for temporary files, which every user may write, and from which
 * hardened systems run no code. Called by {@link SqliteFile} before each connection; the driver
 * looks at the first one only.
 */
public final class SqliteLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteLibrary.class);

  /** The driver's setting; a value that the operator has set is kept. */
  private static final String DIRECTORY_PROPERTY = "org.sqlite.tmpdir";

  public static final String DIRECTORY = "native";

  private SqliteLibrary() {}

  /**
   * Names the directory to the driver. Where it cannot be made, as for a reader without the right
   * to write, the driver's default stays. A reader that makes the directory removes it at its end:
   * the driver's own file, which was noted later, goes before.
   *
   * @param beside directory of the database
   * @param owner true for the one process that writes there: it removes what killed ones left
   */
  static synchronized void unpack(Path beside, boolean owner) {
    if (System.getProperty(DIRECTORY_PROPERTY) != null || !Files.isWritable(beside)) {
      return;
    }
    Path directory = beside.resolve(DIRECTORY);
    try {
      if (Files.notExists(directory)) {
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        if (!owner) {
          directory.toFile().deleteOnExit();
        }
      }
      if (owner) {
        removeLeftovers(directory);
      }
      if (Files.isWritable(directory)) {
        System.setProperty(DIRECTORY_PROPERTY, directory.toAbsolutePath().toString());
      }
    } catch (IOException e) {
      LOG.warn("SQLite is unpacked into the directory for temporary files: {}", e.toString());
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
