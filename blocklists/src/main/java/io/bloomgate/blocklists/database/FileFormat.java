package io.bloomgate.blocklists.database;

import io.bloomgate.blocklists.database.SqliteFile.Fault;
import io.bloomgate.blocklists.database.SqliteFile.Schema;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.config.fault.Faults;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;

/**
 * Tells a file with tables of another release from a damaged one. Used by {@link SqliteFile} while
 * it opens, on its thread.
 */
final class FileFormat {

  private FileFormat() {}

  /**
   * Compares the number of the format, and then the tables: builds before the first release had
   * other tables under the same number.
   *
   * @param format of the file, which has tables
   * @throws UnusableException when the file is of another release
   */
  static void check(Path file, int format, Schema schema, Connection connection)
      throws SQLException, UnusableException {
    if (format != schema.format()) {
      throw new UnusableException(
          Fault.OTHER_RELEASE, file + " " + Faults.otherFormat(format, schema.format()));
    }
    if (!hasTables(schema, connection)) {
      throw new UnusableException(
          Fault.OTHER_RELEASE,
          file
              + " has format "
              + format
              + " of another release: its tables are not those that this one reads");
    }
  }

  /** False where a table of this release is missing, or was made with other columns. */
  private static boolean hasTables(Schema schema, Connection connection) throws SQLException {
    Set<String> made = new HashSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT sql FROM sqlite_schema")) {
      while (rows.next()) {
        made.add(String.valueOf(rows.getString(1)).strip());
      }
    }
    return schema.statements().stream()
        .map(String::strip)
        .filter(sql -> sql.startsWith("CREATE TABLE "))
        .allMatch(made::contains);
  }
}
