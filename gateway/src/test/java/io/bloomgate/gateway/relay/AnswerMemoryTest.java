package io.bloomgate.gateway.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.relay.AnswerHint.Kind;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is remembered of recipients who were answered apart, over crashes, years and full disks. */
class AnswerMemoryTest {

  private static final ReversePath FROM = new ReversePath("alice@sender.example", null, null);
  private static final AnswerMemory.Origin ALICE = origin("192.0.2.7");
  private static final ForwardPath BOB = path("bob");
  private static final ForwardPath EVE = path("eve");
  private static final Reply TAKEN = Reply.of(250, "2.0.0", "saved");
  private static final Reply FULL = Reply.of(552, "5.2.2", "full");
  private static final byte[] SHA = new byte[32];

  @TempDir Path folder;
  private Instant now = Instant.EPOCH;

  /** Mail of one sender by a client with this address. */
  private static AnswerMemory.Origin origin(String client) {
    return AnswerMemory.Origin.of(IpAddress.of(InetAddress.ofLiteral(client)), FROM);
  }

  private static ForwardPath path(String name) {
    return new ForwardPath(name + "@example.com", name, "example.com");
  }

  private Path file() {
    return folder.resolve("answers");
  }

  private AnswerMemory open() {
    return AnswerMemory.open(file(), () -> now, new SecureRandom());
  }

  /** True when there is room for this number of answers at this moment. */
  private static boolean usable(AnswerMemory memory, AnswerMemory.Origin origin, int answers) {
    try (AnswerRoom room = memory.room(origin)) {
      return room.reach(answers);
    }
  }

  /** Remembers that BOB has it and EVE does not. */
  private static AnswerMemory.Key differing(AnswerMemory memory) {
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(memory.room(ALICE), content, Map.of(BOB, TAKEN, EVE, FULL)));
    return content;
  }

  @Test
  void whatWasRememberedIsThereAfterACrash() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    // No close: the file is as a kill leaves it.
    AnswerMemory later = open();
    assertEquals(content, later.content(ALICE, SHA));
    assertEquals(Optional.of(TAKEN), later.answer(ALICE, BOB, content));
    assertEquals(Optional.of(FULL), later.answer(ALICE, EVE, content));
    assertEquals(Kind.TAKEN, later.hint(ALICE, BOB).kind());
    assertEquals(Kind.REFUSED, later.hint(ALICE, EVE).kind());
    assertEquals(AnswerHint.NONE, later.hint(ALICE, path("joe")));
    AnswerMemory.Origin other =
        new AnswerMemory.Origin(ALICE.network(), new ReversePath("x@y.example", null, null));
    assertEquals(AnswerHint.NONE, later.hint(other, BOB));
    byte[] otherContent = SHA.clone();
    otherContent[31] = 1;
    assertEquals(Optional.empty(), later.answer(ALICE, BOB, later.content(ALICE, otherContent)));
  }

  /** Damage can make a file of any size; reading it all would end the start. */
  @Test
  void aFileOfGigabytesIsNoReasonNotToStart() throws IOException {
    AnswerMemory.Key content = differing(open());
    try (RandomAccessFile damaged = new RandomAccessFile(file().toFile(), "rw")) {
      damaged.setLength(3L << 30);
    }
    AnswerMemory later = open();
    assertEquals(Optional.empty(), later.answer(ALICE, BOB, content));
    assertTrue(Files.size(file()) < 1_000, "it was begun again");
  }

  @Test
  void theFileNamesNobody() throws IOException {
    differing(open());
    String octets = Files.readString(file(), ISO_8859_1);
    assertTrue(octets.contains("full"), "the mail server's words do");
    assertFalse(octets.contains("alice") || octets.contains("bob"));
    assertEquals("rw-------", permissions());
  }

  private String permissions() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file()));
  }

  @Test
  void whatWasPutOffIsNotRemembered() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(
        memory.remember(memory.room(ALICE), content, Map.of(BOB, Reply.of(452, "4.2.2", "later"))));
    assertEquals(0, memory.size());
  }

  @Test
  void anAnswerThatTheClientGotDoesNotCountAnyMore() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    memory.triedInVain(content);
    assertEquals(Kind.TRIED, memory.hint(ALICE, BOB).kind());
    memory.heard(ALICE, content, List.of(BOB));
    for (AnswerMemory each : List.of(memory, open())) {
      assertEquals(AnswerHint.NONE, each.hint(ALICE, BOB));
      assertEquals(Optional.empty(), each.answer(ALICE, BOB, content));
      assertEquals(Kind.REFUSED, each.hint(ALICE, EVE).kind());
      assertEquals(1, each.size());
    }
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
    memory.remember(memory.room(provoker), content, Map.of(EVE, FULL));
    AnswerMemory.Origin other = origin(second);
    assertEquals(counts ? Kind.REFUSED : Kind.NEW, memory.hint(other, EVE).kind());
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
    ForwardPath joe = path("joe");
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
    AnswerMemory memory = AnswerMemory.open(file(), () -> now, new SecureRandom(), 16);
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(usable(memory, ALICE, 2));
    assertFalse(usable(memory, ALICE, 3));
    assertFalse(
        memory.remember(
            memory.room(ALICE), content, Map.of(BOB, TAKEN, EVE, FULL, path("joe"), TAKEN)),
        "not all of them");
    assertEquals(2, memory.size());
    assertFalse(usable(memory, ALICE, 1));
    assertEquals(List.of(), memory.alarms());
    for (int i = 1; i < 8; i++) {
      AnswerMemory.Origin other = origin("10." + i + ".0.1");
      assertTrue(usable(memory, other, 2));
      AnswerMemory.Key its = memory.content(other, SHA);
      assertTrue(memory.remember(memory.room(other), its, Map.of(BOB, TAKEN, EVE, FULL)));
    }
    AnswerMemory.Origin ninth = origin("10.9.0.1");
    assertFalse(usable(memory, ninth, 1));
    assertTrue(memory.alarms().getFirst().contains("there are 16 of them"));
    assertFalse(
        memory.remember(memory.room(ninth), memory.content(ninth, SHA), Map.of(BOB, TAKEN)));
    assertEquals(16, memory.size());
    assertEquals(
        16, AnswerMemory.open(file(), () -> now, new SecureRandom(), 16).size(), "after a crash");
    now = Instant.EPOCH.plus(Duration.ofDays(6));
    assertTrue(usable(memory, ninth, 2));
  }

  @Test
  void isForgottenAfterFiveDays() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    now = Instant.EPOCH.plus(Duration.ofDays(5)).minusSeconds(1);
    assertTrue(memory.answer(ALICE, BOB, content).isPresent());
    now = Instant.EPOCH.plus(Duration.ofDays(5));
    assertEquals(Optional.empty(), memory.answer(ALICE, BOB, content));
    assertEquals(AnswerHint.NONE, memory.hint(ALICE, BOB));
    assertEquals(0, open().size());
  }

  /** A file that is cut or damaged anywhere gives the records up to that place. */
  @Test
  void aDamagedFileGivesWhatIsSound() throws IOException {
    AnswerMemory memory = open();
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    long head = Files.size(file());
    memory.remember(memory.room(ALICE), content, Map.of(BOB, TAKEN));
    long first = Files.size(file());
    memory.remember(memory.room(ALICE), content, Map.of(EVE, FULL));
    byte[] whole = Files.readAllBytes(file());
    for (int cut = whole.length; cut >= 0; cut -= 5) {
      Files.write(file(), Arrays.copyOf(whole, cut));
      assertEquals(cut < first ? 0 : cut < whole.length ? 1 : 2, open().size(), "cut at " + cut);
    }
    for (int at = (int) head; at < whole.length; at += 5) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(file(), damaged);
      assertEquals(at < first ? 0 : 1, open().size(), "damaged at " + at);
    }
  }

  @Test
  void aFullMemoryTakesNoMoreUntilThereIsRoom() {
    AnswerMemory memory = AnswerMemory.open(file(), () -> now, new SecureRandom(), 1);
    assertTrue(usable(memory, ALICE, 1));
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(memory.room(ALICE), content, Map.of(EVE, FULL)));
    assertFalse(usable(memory, ALICE, 1));
    assertTrue(memory.alarms().getFirst().contains("there are 1 of them"));
    assertTrue(
        memory.remember(memory.room(ALICE), content, Map.of(EVE, TAKEN)), "in place of the other");
    memory.heard(ALICE, content, List.of(EVE));
    assertTrue(usable(memory, ALICE, 1), "answers that the client got are forgotten");
    assertEquals(List.of(), memory.alarms());
    assertTrue(memory.remember(memory.room(ALICE), content, Map.of(EVE, FULL)));
    assertFalse(usable(memory, ALICE, 1));
    now = Instant.EPOCH.plus(Duration.ofDays(6));
    assertTrue(usable(memory, ALICE, 1));
  }

  @Test
  void whatCannotBeWrittenIsTriedAgain() throws IOException {
    Path inside = folder.resolve("state");
    AnswerMemory memory =
        AnswerMemory.open(inside.resolve("answers"), () -> now, new SecureRandom());
    assertFalse(usable(memory, ALICE, 1));
    assertTrue(memory.alarms().getFirst().contains("NoSuchFile"), memory.alarms().toString());
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertFalse(memory.remember(memory.room(ALICE), content, Map.of(BOB, TAKEN)));
    // As long as the gateway runs the answer is still known.
    assertEquals(Optional.of(TAKEN), memory.answer(ALICE, BOB, content));
    Files.createDirectory(inside);
    assertFalse(usable(memory, ALICE, 1), "not at once");
    now = now.plusSeconds(10);
    assertTrue(usable(memory, ALICE, 1));
    assertEquals(List.of(), memory.alarms());
    AnswerMemory later =
        AnswerMemory.open(inside.resolve("answers"), () -> now, new SecureRandom());
    assertEquals(1, later.size());
  }

  @Test
  void manyAtOnceAreAllKept() throws Exception {
    AnswerMemory memory = open();
    AtomicInteger durable = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      String name = "u" + i + "-";
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                AnswerMemory.Key content = memory.content(ALICE, SHA);
                for (int j = 0; j < 50; j++) {
                  if (memory.remember(memory.room(ALICE), content, Map.of(path(name + j), TAKEN))) {
                    durable.incrementAndGet();
                  }
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(400, durable.get());
    assertEquals(400, open().size());
  }

  @Test
  void noneRemembersNothingAndRaisesNoAlarm() {
    assertFalse(usable(AnswerMemory.none(), ALICE, 1));
    assertEquals(List.of(), AnswerMemory.none().alarms());
    assertEquals(AnswerHint.NONE, AnswerMemory.none().hint(ALICE, BOB));
  }
}
