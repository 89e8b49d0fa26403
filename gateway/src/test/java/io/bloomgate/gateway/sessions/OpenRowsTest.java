package io.bloomgate.gateway.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionEvidence;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.log.SessionTrace.TransactionMark;
import io.bloomgate.gateway.sessions.OpenRows.Row;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A flood of transactions that are refused and never end takes only so much memory. */
final class OpenRowsTest {

  private static final LocalDate DAY = LocalDate.parse("2026-11-01");
  private static final int FLOOD = 20_000;

  private final OpenRows rows = new OpenRows();
  private final List<TransactionMark> marks = new ArrayList<>();

  private static Row row(int number, int domains) {
    DecisionRecord record =
        Decisions.record(
            "203.0.113.7",
            Outcome.REFUSED,
            Decisions.rejectedBy("drop", "203.0.113.0/24", "203.0.113.7"),
            Decisions.refusal("203.0.113.7", "drop", Decisions.ID),
            "spam.example",
            "a@spam.example",
            IntStream.range(0, domains)
                .mapToObj(i -> "bob@" + "r".repeat(60) + "." + i + "x" + number + ".example")
                .toArray(String[]::new));
    return new Row(number, DAY, DecisionEvidence.of(record, Privacy.FULL), record.octets());
  }

  private void flood(int domains) {
    for (int i = 0; i < FLOOD; i++) {
      marks.add(new TransactionMark());
      rows.put(marks.getLast(), row(i, domains));
    }
  }

  @Test
  void longRowsAreBoundedByOctets() {
    flood(19);
    assertTrue(rows.octets() <= OpenRows.MAX_OCTETS, rows.octets() + " octets");
    assertTrue(rows.octets() > OpenRows.MAX_OCTETS * 9 / 10, rows.octets() + " octets");
    assertTrue(rows.size() < OpenRows.MAX_ROWS, rows.size() + " rows");
    assertNull(rows.get(marks.getFirst()));
    assertNotNull(rows.get(marks.getLast()));
    assertNull(rows.get(null));
  }

  @Test
  void shortRowsAreBoundedByTheirNumber() {
    flood(0);
    assertTrue(rows.size() <= OpenRows.MAX_ROWS);
    assertTrue(rows.octets() <= OpenRows.MAX_OCTETS);
  }

  @Test
  void whatIsForgottenTakesNothing() {
    flood(3);
    for (TransactionMark mark : marks) {
      if (rows.get(mark) != null) {
        rows.put(mark, row(7, 1));
      }
    }
    marks.forEach(rows::remove);
    assertEquals(0, rows.size());
    assertEquals(0, rows.octets());
    flood(1);
    rows.clear();
    assertEquals(0, rows.octets());
  }
}
