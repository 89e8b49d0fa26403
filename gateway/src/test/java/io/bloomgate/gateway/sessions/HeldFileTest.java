package io.bloomgate.gateway.sessions;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.gateway.log.Decisions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A person holds the file of today with {@code BEGIN IMMEDIATE}, as {@code sqlite3} does. */
final class HeldFileTest extends StoreFixture {

  /** More than the queue takes, and what is being written. */
  private static final int FLOOD = 50_000;

  /** Holds the file until it is closed. */
  private Connection hold() throws SQLException {
    Connection person = DriverManager.getConnection("jdbc:sqlite:" + file(now));
    try (Statement statement = person.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
    }
    return person;
  }

  private void refuse(SessionStore store, int number, Object mark) {
    store.keep(of(mark, Decisions.refused(CLIENT, "drop"), number));
  }

  private void refuse(SessionStore store, int first, int count) {
    for (int i = first; i < first + count; i++) {
      refuse(store, i, new Object());
    }
  }

  /** Until the writer has met the person's lock. */
  private static void awaitTrouble(SessionStore store) {
    while (store.trouble().isEmpty()) {
      store.catchUp();
    }
  }

  private long rows(SessionStore store, List<String> problems) throws IOException {
    return store.search(problems::add).stats(everything(), 86_400).stream()
        .mapToLong(SessionCounts::refused)
        .sum();
  }

  @Test
  void whatComesMeanwhileIsKeptAfterwards() throws Exception {
    Object mark = new Object();
    try (SessionStore store = open()) {
      refuse(store, 1, mark);
      assertTrue(store.awaitWritten());
      try (Connection _ = hold()) {
        refuse(store, 2, mark);
        refuse(store, 3, 5);
        awaitTrouble(store);
        assertHas(store.trouble(), "is held by another process");
        assertHas(store.alarms().getFirst(), "0 lost");
        assertFalse(isKept(store, 3));
      }
      assertTrue(store.awaitWritten());
      assertEquals("", store.trouble());
      assertEquals(0, store.lost());
      for (int i = 1; i <= 7; i++) {
        assertTrue(isKept(store, i), "session " + i);
      }
      List<String> problems = new ArrayList<>();
      assertEquals(6, rows(store, problems), "the second answer belongs to the first session");
      assertEquals(List.of(), problems);
    }
  }

  @Test
  void whatFindsTheQueueFullIsLostAndCountedAtOnce() throws Exception {
    try (SessionStore store = open()) {
      refuse(store, 1, 1);
      assertTrue(store.awaitWritten());
      long lost;
      try (Connection _ = hold()) {
        refuse(store, 2, 1);
        awaitTrouble(store);
        refuse(store, 3, FLOOD);
        lost = store.lost();
        assertTrue(lost > 0 && lost < FLOOD, lost + " lost");
      }
      assertTrue(store.awaitWritten());
      assertEquals(lost, store.lost());
      List<String> problems = new ArrayList<>();
      assertEquals(2 + FLOOD - lost, rows(store, problems));
      assertTrue(problems.toString().startsWith("[" + lost + " sessions of "), problems.toString());
    }
  }

  @Test
  void aStartFindsTheFileHeld() throws Exception {
    try (SessionStore store = open()) {
      refuse(store, 1, 1);
    }
    try (SessionStore store = open()) {
      try (Connection _ = hold()) {
        refuse(store, 2, 1);
        awaitTrouble(store);
      }
      assertTrue(store.awaitWritten());
      assertEquals(0, store.lost());
      assertTrue(isKept(store, 2));
    }
  }

  @Test
  void theGatewayEndsAlthoughTheFileIsHeld() throws Exception {
    SessionStore store = open();
    refuse(store, 1, 1);
    assertTrue(store.awaitWritten());
    try (Connection _ = hold()) {
      refuse(store, 2, 1);
      awaitTrouble(store);
      refuse(store, 3, 4);
      store.close();
    }
    assertEquals(5, store.lost());
  }
}
