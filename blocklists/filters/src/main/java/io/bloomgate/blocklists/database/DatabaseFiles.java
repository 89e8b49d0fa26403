package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Set;

/**
 * A database of SQLite as files: itself, and its log and the index of that beside it. Used by
 * {@link SqliteFile} and {@link PatientFile}, by those who replace a damaged file, and by backups.
 */
public final class DatabaseFiles {

  static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

  /**
   * Moves a damaged file out of the way of another one.
   *
   * @return where it is now
   */
  public static Path setAside(Path file) throws IOException {
    Path damaged = file.resolveSibling(file.getFileName() + ".damaged");
    Files.move(file, damaged, StandardCopyOption.REPLACE_EXISTING);
    deleteLog(file); // of the damaged file, which it names by its place
    return damaged;
  }

  /**
   * Copies a file that another process may be writing: {@code VACUUM INTO} reads one moment of it,
   * whole, with what is still in its log. A plain copy would miss the log, or mix two moments.
   *
   * @param copy that does not exist; it gets mode 0600
   * @throws UnusableException when the file cannot be read, or is damaged
   */
  public static void copy(Path file, Path copy) throws IOException {
    // SQLite takes an empty file for a new one, and leaves its mode as it is.
    createOwnerOnly(copy);
    try (Statements from = SqliteFile.reader(file)) {
      from.copyInto(copy);
      try (Statements written = SqliteFile.reader(copy)) {
        // A damaged page that no query touched would be found only when it is too late.
        SqliteFile.quickCheck(copy, written);
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  /** Deletes the log of a file, and the index of the log. */
  public static void deleteLog(Path file) throws IOException {
    Files.deleteIfExists(beside(file, "-wal"));
    Files.deleteIfExists(beside(file, "-shm"));
  }

  /** The file beside another one, with this behind its name. */
  public static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** The -wal and -shm files take the mode of the file itself. */
  static void createOwnerOnly(Path file) throws IOException {
    try {
      Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
    } catch (FileAlreadyExistsException e) {
      if (!Files.getPosixFilePermissions(file).equals(OWNER_ONLY)) {
        Files.setPosixFilePermissions(file, OWNER_ONLY);
      }
    }
  }

  /** Octets of a file; 0 when it is not there. */
  public static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  static Path directory(Path file) {
    Path parent = file.toAbsolutePath().getParent();
    return parent == null ? file.toAbsolutePath() : parent;
  }

  private DatabaseFiles() {}
}
