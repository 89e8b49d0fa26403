package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ids of a day that is written: the first ones in the index, the rest behind it. */
final class DayWriterTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-23");
  private static final int PIECE = 65_536;

  @TempDir private Path directory;
  private final KeptSessions random = new KeptSessions(1);
  private final List<String> ids = new ArrayList<>();

  private Path file() {
    return directory.resolve(DAY + ".db");
  }

  private void add(DayWriter writer, int rows) throws IOException {
    for (int row = 0; row < rows; row++) {
      Evidence session = random.next(Instant.parse("2026-11-23T00:00:00Z"));
      ids.add(session.decision().id());
      writer.add(session, null);
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

  private void allAreFound() throws IOException {
    try (DayReader reader = DayReader.open(new SessionDays.Day(DAY, 1, file())).orElseThrow()) {
      for (int at : List.of(0, PIECE / 2, PIECE - 1, ids.size() - 1)) {
        String id = ids.get(at);
        assertEquals(id, reader.find(List.of(id)).getFirst().decision().id());
      }
      assertTrue(reader.find(List.of("ZZZZZZZZZZ")).isEmpty());
    }
  }

  @Test
  void idsAreFoundOnBothSidesOfTheBorderOfTheIndex() throws Exception {
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      add(writer, PIECE);
      assertEquals(PIECE, indexed());
      allAreFound();
      add(writer, 3);
      assertEquals(PIECE, indexed());
      allAreFound();
      writer.add(random.next(Instant.parse("2026-11-23T00:00:00Z")), null);
    }
    assertEquals(PIECE + 3, indexed(), "the rest at the end of the day, without what failed");
    allAreFound();
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      add(writer, 2);
      allAreFound();
    }
    assertEquals(PIECE + 5, indexed());
  }
}
