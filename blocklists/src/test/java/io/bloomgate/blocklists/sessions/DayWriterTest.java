package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.database.SqliteFile.UnusableException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids of a day that is written: the first ones in the index, the rest behind it. */
final class DayWriterTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-23");
  private static final Instant BEGIN = DAY.atStartOfDay().toInstant(ZoneOffset.UTC);

  private static final long FACTOR = 0x9E3779B97F4AL;
  private static final long ID_BITS = (1L << 50) - 1;

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve(DAY + ".db");
  }

  /** Fills the file as the writer would, in a tenth of the time. */
  private void fill(int rows) throws Exception {
    DayWriter.open(file(), DAY).close();
    try (var file = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = file.createStatement()) {
      statement.execute(
          "WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < %d) INSERT"
                  .formatted(rows)
              + " INTO session (number, at, client, recipients, bits, generation, id) SELECT n, n,"
              + " x'cb007107', 1, 0, n, n * %d & %d FROM row".formatted(FACTOR, ID_BITS));
    }
  }

  /** Neighbours in time are far from each other in the index. */
  private static String id(int row) {
    return IncidentId.format(row * FACTOR & ID_BITS);
  }

  private static void add(DayWriter writer, int firstRow, int rows) throws UnusableException {
    KeptSession session = new KeptSessions(1).next(BEGIN);
    KeptDecision one = session.decision();
    for (int row = firstRow; row < firstRow + rows; row++) {
      writer.add(
          session.with(
              new KeptDecision(
                  id(row),
                  one.stage(),
                  one.mode(),
                  one.outcome(),
                  one.to(),
                  one.verdict(),
                  row,
                  one.listings(),
                  one.reply())));
    }
    writer.commit();
  }

  private int indexed() throws SQLException {
    try (var file = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = file.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM session_id")) {
      return row.next() ? row.getInt(1) : -1;
    }
  }

  /** The generation numbers the rows. */
  private void found(int... rows) throws IOException {
    try (DayReader reader = DayReader.open(new SessionDays.Day(DAY, 1, file())).orElseThrow()) {
      for (int row : rows) {
        long bits = IncidentId.parse(id(row)).orElseThrow();
        assertEquals(
            row, reader.find(List.of(bits)).getFirst().decision().generation(), "row " + row);
      }
      assertTrue(reader.find(List.of(0L)).isEmpty());
    }
  }

  @Test
  void idsAreFoundOnBothSidesOfTheBorderOfTheIndex() throws Exception {
    int piece = DayWriter.INDEXED_TOGETHER;
    fill(piece - 2);
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      add(writer, piece - 1, 1);
      assertEquals(0, indexed());
      found(1, piece / 2, piece - 1);
      add(writer, piece, 1);
      assertEquals(piece, indexed());
      found(1, piece / 2, piece - 1, piece);
      add(writer, piece + 1, 3);
      assertEquals(piece, indexed());
      found(1, piece, piece + 1, piece + 3);
    }
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      found(1, piece, piece + 1, piece + 3);
      add(writer, piece + 4, 2);
      assertEquals(piece, indexed());
      found(1, piece, piece + 1, piece + 3, piece + 4, piece + 5);
    }
  }
}
