package io.bloomgate.gateway.sessions;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.sessions.Outcome;
import io.bloomgate.blocklists.sessions.SessionDays;
import io.bloomgate.config.control.ControlRequest.SessionsShow;
import io.bloomgate.config.settings.LogSettings.Privacy;
import io.bloomgate.gateway.log.DecisionRecord;
import io.bloomgate.gateway.log.Decisions;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a client sends takes only the room that it may take. */
final class StoreFloodTest extends StoreFixture {

  private static final long MIB = 1L << 20;

  private volatile long free = Long.MAX_VALUE;

  private SessionStore open(long maxOctets) {
    return open(new SessionDays(directory, () -> free), Privacy.FULL, maxOctets, Thread::new);
  }

  /** As long as SMTP allows, and with no text of another mail. */
  private static String unique(int number, int length) {
    return ("u" + number + "-" + "x".repeat(60) + ".").repeat(5).substring(0, length);
  }

  private static DecisionRecord bulky(int number) {
    return Decisions.record(
        CLIENT,
        Outcome.DELIVERED,
        Decisions.accepted(),
        Reply.of(250, "2.0.0", "Ok: queued as 4F2"),
        unique(number, 240),
        unique(number, 60) + "@" + unique(number, 176) + ".example",
        IntStream.range(0, 20)
            .mapToObj(i -> "bob@r" + i + "-" + unique(number, 40) + ".example.com")
            .toArray(String[]::new));
  }

  private void deliver(SessionStore store, int first, int count) {
    for (int i = first; i < first + count; i++) {
      store.keep(Decisions.with(bulky(i), id(i), now));
    }
    assertTrue(store.awaitWritten());
  }

  @Test
  void aRowHasALimitWhateverTheClientSends() throws IOException {
    int rows = 4_000;
    try (SessionStore store = open(1L << 30)) {
      deliver(store, 0, rows);
    }
    long each = Files.size(file(now)) / rows;
    assertTrue(each <= 2_400, each + " octets a row");
  }

  @Test
  void acceptedMailLeavesRoomForRefusalsAndForOtherDays() throws IOException {
    long max = 16 * MIB;
    try (SessionStore store = open(max)) {
      refuse(store, 1);
      now = now.plus(Duration.ofDays(1));
      for (int i = 0; i < 20; i++) {
        deliver(store, 1_000 + 1_000 * i, 1_000);
        store.tend();
      }
      assertTrue(isKept(store, 1_000));
      assertFalse(isKept(store, 20_999));
      assertTrue(store.lost() > 10_000, store.lost() + " lost");
      assertHas(store.trouble(), "half of sessions.max_size");
      assertEquals(1, store.alarms().size());
      assertEquals(
          List.of(
              store.lost()
                  + " sessions of "
                  + now.toString().substring(0, 10)
                  + " were not kept, so what is counted of that day is too low"),
          holes(store));
      refuse(store, 2);
      store.tend();
      refuse(store, 3);
      assertTrue(isKept(store, 1), "the day before");
      assertTrue(isKept(store, 2) && isKept(store, 3), "refusals go on");
      now = now.plus(Duration.ofDays(1));
      deliver(store, 50_000, 1);
      assertTrue(isKept(store, 50_000), "the next day");
      assertEquals("", store.trouble());
    }
    assertTrue(Files.size(file(now.minus(Duration.ofDays(1)))) <= max / 2 + 3 * MIB);
  }

  /** What a question about many sessions says of those that are missing. */
  private List<String> holes(SessionStore store) throws IOException {
    List<String> problems = new ArrayList<>();
    store.search(problems::add).stats(everything(), 60);
    return problems;
  }

  @Test
  void refusalsEndWhereAllRoomIsUsed() throws IOException {
    long max = 2 * MIB;
    try (SessionStore store = open(max)) {
      for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 1_000; k++) {
          store.keep(Decisions.with(Decisions.refused(CLIENT, "drop"), id(1_000 * i + k), now));
        }
        assertTrue(store.awaitWritten());
      }
      assertHas(store.trouble(), "used up");
      assertTrue(holes(store).toString().startsWith("[" + store.lost() + " sessions of "));
      assertTrue(isKept(store, 0));
    }
    assertTrue(Files.size(file(now)) <= max + MIB, Files.size(file(now)) + " octets");
  }

  /** Lists and the operator's entries come first. */
  @Test
  void theStoreGivesRoomBackAndStopsBeforeListsHaveNone() throws IOException {
    try (SessionStore store = open(1L << 30)) {
      for (int day = 0; day < 3; day++) {
        refuse(store, day);
        now = now.plus(Duration.ofDays(1));
      }
      refuse(store, 3);
      free = 127 * MIB;
      refuse(store, 4);
      assertEquals(1, store.lost());
      assertHas(store.trouble(), "128 MiB");
      assertEquals(1, store.alarms().size());
      assertTrue(
          store
              .whyUnknown()
              .contains(
                  "; not all are kept now: state_dir had less than 128 MiB free, which lists and"
                      + " your entries need; make room: from 160 MiB on they are kept again"),
          store.whyUnknown());
      assertTrue(
          store.whyUnknown().contains("; 1 session was not kept, which may be why"),
          store.whyUnknown());
      store.tend();
      assertEquals(1, files(), "the days before today are deleted");
      assertTrue(isKept(store, 3), "of today");
      free = 129 * MIB;
      refuse(store, 5);
      assertEquals(2, store.lost(), "there is hardly more room");
      assertEquals(1, store.alarms().size());
      free = 160 * MIB;
      assertEquals(List.of(), store.alarms(), "the next session is kept");
      free = 1_000 * MIB;
      refuse(store, 6);
      assertTrue(isKept(store, 6));
      assertEquals("", store.trouble());
      assertTrue(holes(store).toString().startsWith("[2 sessions of "), "those of before, too");
    }
    try (SessionStore again = open(1L << 30)) {
      assertTrue(
          again
              .whyUnknown()
              .endsWith(
                  "; 2 sessions were not kept, which may be why: the gateway's"
                      + " log says when and why"),
          again.whyUnknown());
      assertEquals(
          again.whyUnknown(),
          again.answers(_ -> {}).answer(new SessionsShow(id(4)), _ -> {}).orElseThrow().hint());
    }
  }
}
