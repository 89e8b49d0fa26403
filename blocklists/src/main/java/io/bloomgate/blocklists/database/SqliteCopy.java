package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;

/**
 * A copy of a SQLite file that another process may be writing: {@code VACUUM INTO} reads one moment
 * of it, whole, with what is still in its log. A plain copy of the file would miss the log, or mix
 * two moments. Used by {@code bloomgate backup}; blocking.
 */
public final class SqliteCopy {

  private static final int BUSY_TIMEOUT_MS = 10_000;

  private SqliteCopy() {}

  /**
   * Writes the copy; the file itself is not changed.
   *
   * @param copy that does not exist; it gets mode 0600
   * @throws UnusableException when the file cannot be read, or is damaged
   */
  public static void write(Path file, Path copy) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      SqliteLibrary.unpack(folder, false);
    }
    // SQLite takes an empty file for a new one, and leaves its mode as it is.
    Files.createFile(
        copy, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_TIMEOUT_MS);
    config.setReadOnly(true);
    String url = "jdbc:sqlite:file:" + file.toUri().getRawPath();
    try (Connection connection = config.createConnection(url);
        PreparedStatement into = connection.prepareStatement("VACUUM INTO ?")) {
      into.setString(1, copy.toAbsolutePath().toString());
      into.executeUpdate();
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
    check(copy);
  }

  /** A damaged page that no query touched would be found only when it is too late. */
  private static void check(Path copy) throws UnusableException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    try (Connection connection =
            config.createConnection("jdbc:sqlite:file:" + copy.toUri().getRawPath());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA quick_check(1)")) {
      if (!rows.next() || !"ok".equals(rows.getString(1))) {
        throw new UnusableException(SqliteFile.Fault.DAMAGED, "quick_check of the copy failed");
      }
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }
}
