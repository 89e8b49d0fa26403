package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.smtp.Reply;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered of recipients who were answered apart, over time and for many networks. */
class AnswerMemoryTest {

  private static final String FROM = "alice@sender.example";
  private static final AnswerMemory.Origin ALICE = origin("192.0.2.7");
  private static final String BOB = path("bob");
  private static final String EVE = path("eve");
  private static final Reply TAKEN = Reply.of(250, "2.0.0", "saved");
  private static final Reply FULL = Reply.of(552, "5.2.2", "full");
  private static final byte[] SHA = new byte[32];

  private Instant now = Instant.EPOCH;

  /** Mail of one sender by a client with this address. */
  private static AnswerMemory.Origin origin(String client) {
    return new AnswerMemory.Origin(IpAddress.of(InetAddress.ofLiteral(client)), FROM);
  }

  private static String path(String name) {
    return name + "@example.com";
  }

  private static Kind kind(AnswerMemory memory, AnswerMemory.Origin origin, String to) {
    AnswerHint hint = memory.hint(origin, to);
    return hint == null ? Kind.NEW : hint.kind();
  }

  private AnswerMemory open() {
    return new AnswerMemory(() -> now);
  }

  /** True when there is room for this number of answers at this moment. */
  private static boolean usable(AnswerMemory memory, AnswerMemory.Origin origin, int answers) {
    try {
      return memory.promise(origin, answers);
    } finally {
      memory.release(origin);
    }
  }

  /** Remembers that BOB has it and EVE does not. */
  private static AnswerMemory.Key differing(AnswerMemory memory) {
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(ALICE, content, Map.of(BOB, TAKEN, EVE, FULL)));
    return content;
  }

  @Test
  void whatWasAnsweredIsKnownAtTheNextTry() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    assertEquals(content, memory.content(ALICE, SHA));
    assertEquals(Optional.of(TAKEN), memory.answer(ALICE, BOB, content));
    assertEquals(Optional.of(FULL), memory.answer(ALICE, EVE, content));
    assertEquals(Kind.TAKEN, kind(memory, ALICE, BOB));
    assertEquals(Kind.REFUSED, kind(memory, ALICE, EVE));
    assertNull(memory.hint(ALICE, path("joe")));
    AnswerMemory.Origin other =
        new AnswerMemory.Origin(IpAddress.of(InetAddress.ofLiteral("192.0.2.7")), "x@y.example");
    assertNull(memory.hint(other, BOB));
    byte[] otherContent = SHA.clone();
    otherContent[31] = 1;
    assertEquals(Optional.empty(), memory.answer(ALICE, BOB, memory.content(ALICE, otherContent)));
  }

  @Test
  void whatWasPutOffIsNotRemembered() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(ALICE, content, Map.of(BOB, Reply.of(452, "4.2.2", "later"))));
    assertEquals(0, memory.size());
  }

  @Test
  void anAnswerThatTheClientGotDoesNotCountAnyMore() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    memory.triedInVain(content);
    assertEquals(Kind.TRIED, kind(memory, ALICE, BOB));
    memory.heard(ALICE, content, List.of(BOB));
    assertNull(memory.hint(ALICE, BOB));
    assertEquals(Optional.empty(), memory.answer(ALICE, BOB, content));
    assertEquals(Kind.REFUSED, kind(memory, ALICE, EVE));
    assertEquals(1, memory.size());
  }

  @ParameterizedTest
  @CsvSource({
    "192.0.2.7, 192.0.255.1, true",
    "192.0.2.7, 192.1.2.7, false",
    "2001:db8::1, 2001:db8:ffff::1, true",
    "2001:db8::1, 2001:db9::1, false"
  })
  void anAnswerCountsForTheNetworkThatProvokedIt(String first, String second, boolean counts) {
    AnswerMemory memory = open();
    AnswerMemory.Origin provoker = origin(first);
    AnswerMemory.Key content = memory.content(provoker, SHA);
    memory.remember(provoker, content, Map.of(EVE, FULL));
    AnswerMemory.Origin other = origin(second);
    assertEquals(counts ? Kind.REFUSED : Kind.NEW, kind(memory, other, EVE));
    assertEquals(
        counts ? Optional.of(FULL) : Optional.empty(),
        memory.answer(other, EVE, memory.content(other, SHA)));
    memory.putOff(provoker, EVE, List.of(BOB));
    assertEquals(counts, memory.takeTurn(other, BOB));
  }

  @Test
  void whoWasPutOffWaitsOnceAndOnlyForAnAnswerThatWaits() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    String joe = path("joe");
    memory.putOff(ALICE, EVE, List.of(joe));
    assertFalse(memory.takeTurn(ALICE, path("max")));
    assertTrue(memory.takeTurn(ALICE, joe));
    assertFalse(memory.takeTurn(ALICE, joe));
    memory.putOff(ALICE, EVE, List.of(joe));
    memory.heard(ALICE, content, List.of(EVE));
    assertFalse(memory.takeTurn(ALICE, joe));
  }

  @Test
  void oneNetworkHasAnEighthAndLeavesTheOthersTheRest() {
    AnswerMemory memory = new AnswerMemory(() -> now, 16);
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(usable(memory, ALICE, 2));
    assertFalse(usable(memory, ALICE, 3));
    assertFalse(
        memory.remember(ALICE, content, Map.of(BOB, TAKEN, EVE, FULL, path("joe"), TAKEN)),
        "not all of them");
    assertEquals(2, memory.size());
    assertFalse(usable(memory, ALICE, 1));
    assertEquals(List.of(), memory.alarms());
    for (int i = 1; i < 8; i++) {
      AnswerMemory.Origin other = origin("10." + i + ".0.1");
      assertTrue(usable(memory, other, 2));
      AnswerMemory.Key its = memory.content(other, SHA);
      assertTrue(memory.remember(other, its, Map.of(BOB, TAKEN, EVE, FULL)));
    }
    AnswerMemory.Origin ninth = origin("10.9.0.1");
    assertFalse(usable(memory, ninth, 1));
    assertTrue(memory.alarms().getFirst().contains("there are 16 of them"));
    assertFalse(memory.remember(ninth, memory.content(ninth, SHA), Map.of(BOB, TAKEN)));
    assertEquals(16, memory.size());
    now = Instant.EPOCH.plus(Duration.ofDays(5)).minusSeconds(1);
    assertFalse(usable(memory, ninth, 1));
    now = Instant.EPOCH.plus(Duration.ofDays(5));
    assertTrue(usable(memory, ninth, 2));
  }

  @Test
  void aFullMemoryTakesNoMoreUntilThereIsRoom() {
    AnswerMemory memory = new AnswerMemory(() -> now, 1);
    assertTrue(usable(memory, ALICE, 1));
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(ALICE, content, Map.of(EVE, FULL)));
    assertFalse(usable(memory, ALICE, 1));
    assertTrue(memory.alarms().getFirst().contains("there are 1 of them"));
    assertTrue(memory.remember(ALICE, content, Map.of(EVE, TAKEN)), "in place of the other");
    memory.heard(ALICE, content, List.of(EVE));
    assertTrue(usable(memory, ALICE, 1), "answers that the client got are forgotten");
    assertEquals(List.of(), memory.alarms());
    assertTrue(memory.remember(ALICE, content, Map.of(EVE, FULL)));
    assertFalse(usable(memory, ALICE, 1));
    now = Instant.EPOCH.plus(Duration.ofDays(6));
    assertTrue(usable(memory, ALICE, 1));
  }

  @Test
  void manyAtOnceAreAllKept() throws Exception {
    AnswerMemory memory = open();
    AtomicInteger kept = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String name = "u" + i + "-";
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                AnswerMemory.Key content = memory.content(ALICE, SHA);
                for (int j = 0; j < 50; j++) {
                  if (memory.remember(ALICE, content, Map.of(path(name + j), TAKEN))) {
                    kept.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(400, kept.get());
    assertEquals(400, memory.size());
  }
}
