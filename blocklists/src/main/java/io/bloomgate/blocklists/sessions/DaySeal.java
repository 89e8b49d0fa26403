package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.SqliteFile;
import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.sessions.SessionDays.Day;
import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Finishes a day that is over: indexes its last ids, and writes its filter. Called by housekeeping;
 * it takes about two seconds for a million sessions.
 */
public final class DaySeal {

  /** Pages in memory, and pages of the log before it is folded in. */
  private static final SqliteFile.Sizes SIZES = new SqliteFile.Sizes(8_192, 4_096);

  private static final String COUNT =
      "SELECT (SELECT count(DISTINCT client) FROM session) * 2"
          + " + (SELECT count(DISTINCT from_domain) FROM session)"
          + " + (SELECT count(DISTINCT to_domains) FROM session) * 2"
          + " + (SELECT count(id) FROM session) + (SELECT count(id) FROM further)";

  private final RandomGenerator random;

  /**
   * @param random for the seeds of filters
   */
  public DaySeal(RandomGenerator random) {
    this.random = random;
  }

  /**
   * Finishes a day.
   *
   * @throws UnusableException when its file is damaged, or not ours; it is not changed then
   * @throws IOException when it cannot be written
   */
  public void seal(Day day) throws IOException {
    try (SqliteFile file = SqliteFile.open(day.file(), DaySchema.SCHEMA, SIZES)) {
      file.statements().of(DaySchema.INDEX_IDS).executeUpdate();
      file.statements().of(DaySchema.IDS_INDEXED).executeUpdate();
      file.commit();
      writeFilter(day, file.statements());
    } catch (SQLException e) {
      throw new UnusableException(e);
    }
  }

  private void writeFilter(Day day, Statements rows) throws SQLException, IOException {
    DayFilter.Builder filter;
    try (ResultSet count = rows.of(COUNT).executeQuery()) {
      filter = new DayFilter.Builder(count.next() ? count.getLong(1) : 0, random);
    }
    try (ResultSet clients = rows.of("SELECT DISTINCT client FROM session").executeQuery()) {
      while (clients.next()) {
        IpAddress client = DayRows.address(clients.getBytes(1));
        filter.add(DayFilter.ofClient(client));
        filter.add(DayFilter.ofNetwork(client));
      }
    }
    addTexts(rows, "from_domain", text -> filter.add(DayFilter.ofSenderDomain(text)));
    addTexts(
        rows,
        "to_domains",
        text -> {
          for (String domain : text.split(" ", -1)) {
            filter.add(DayFilter.ofRecipientDomain(domain));
          }
        });
    addIds(rows, "session", filter);
    addIds(rows, "further", filter);
    filter.write(day.filter());
  }

  private static void addTexts(Statements rows, String column, Consumer<String> add)
      throws SQLException {
    String sql =
        "SELECT text FROM text WHERE number IN (SELECT DISTINCT " + column + " FROM session)";
    try (ResultSet texts = rows.of(sql).executeQuery()) {
      while (texts.next()) {
        add.accept(texts.getString(1));
      }
    }
  }

  private static void addIds(Statements rows, String table, DayFilter.Builder filter)
      throws SQLException {
    String sql = "SELECT id FROM " + table + " WHERE id IS NOT NULL";
    try (ResultSet ids = rows.of(sql).executeQuery()) {
      while (ids.next()) {
        filter.add(DayFilter.ofId(ids.getLong(1)));
      }
    }
  }
}
