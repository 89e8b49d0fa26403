package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.Copy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An administrator reads in a day's file what happened, as text. */
final class DayViewTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-23");

  @TempDir private Path directory;
  private final long seed = System.nanoTime();

  private Path file() {
    return directory.resolve(DAY + ".db");
  }

  private List<Evidence> write(int sessions) throws IOException {
    KeptSessions random = new KeptSessions(seed);
    List<Evidence> all = new ArrayList<>();
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      for (int i = 0; i < sessions; i++) {
        Evidence session = random.next(DAY.atTime(9, 0, i / 10).toInstant(ZoneOffset.UTC));
        all.add(session);
        writer.add(session, null);
      }
      writer.commit();
    }
    return all;
  }

  private Connection open() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file());
  }

  @Test
  void everyRowIsText() throws Exception {
    List<Evidence> all = write(300);
    assertTrue(all.stream().anyMatch(session -> !session.client().isV4()), "seed " + seed);
    try (Connection file = open();
        Statement statement = file.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sessions")) {
      for (Evidence session : all) {
        assertTrue(row.next());
        Evidence.Decision decision = session.decision();
        String where = decision.id() + " seed " + seed;
        assertEquals(session.at().toString(), row.getString("time"), where);
        assertEquals(decision.id(), row.getString("id"), where);
        assertEquals(address(session), row.getString("client"), where);
        assertEquals(session.helo(), row.getString("helo"), where);
        assertEquals(String.join(" ", session.domains()), row.getString("to_domains"), where);
        assertEquals(decision.verdict(), row.getString("verdict"), where);
        assertEquals(decision.outcome().key(), row.getString("outcome"), where);
        assertEquals(
            decision.listings().stream().map(Evidence.Listing::list).distinct().toList(),
            row.getString("lists").isEmpty()
                ? List.of()
                : List.of(row.getString("lists").strip().split(" ")),
            where);
        assertEquals(
            decision.reply().replace(session.client().toString(), address(session)),
            row.getString("reply"),
            where);
        assertEquals(session.times(), row.getInt("times"), where);
      }
      assertTrue(!row.next());
    }
  }

  private static String address(Evidence session) {
    byte[] octets = DayRow.octets(session.client());
    ByteBuffer bits = ByteBuffer.wrap(octets);
    return octets.length == 4
        ? session.client().toString()
        : IntStream.range(0, 8)
            .mapToObj(group -> HexFormat.of().toHexDigits(bits.getShort(2 * group)))
            .collect(Collectors.joining(":"));
  }

  @Test
  void aSessionWithoutAnIdHasNone() throws Exception {
    Evidence session = new KeptSessions(seed).next(DAY.atStartOfDay().toInstant(ZoneOffset.UTC));
    try (DayWriter writer = DayWriter.open(file(), DAY)) {
      Map<String, ?> others =
          Map.of("id", "", "reply", "503 5.5.1 from [" + session.client() + "]", "to", "");
      writer.add(
          session.with(
              Copy.of(Evidence.Decision.class, session.decision(), others), session.more()),
          null);
      writer.commit();
    }
    try (Connection file = open();
        Statement statement = file.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM sessions")) {
      assertTrue(row.next());
      assertNull(row.getString("id"));
      assertEquals("503 5.5.1 from [" + address(session) + "]", row.getString("reply"));
    }
  }
}
