package io.bloomgate.gateway.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.relay.AnswerMemory.Hint;
import io.bloomgate.gateway.relay.AnswerMemory.Kind;
import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.smtp.ReversePath;
import java.io.IOException;
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
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of recipients who were answered apart, over crashes, years and full disks. */
class AnswerMemoryTest {

  private static final ReversePath ALICE = new ReversePath("alice@sender.example", null, null);
  private static final ForwardPath BOB = path("bob");
  private static final ForwardPath EVE = path("eve");
  private static final Reply TAKEN = Reply.of(250, "2.0.0", "saved");
  private static final Reply FULL = Reply.of(552, "5.2.2", "full");
  private static final byte[] SHA = new byte[32];

  @TempDir Path folder;
  private Instant now = Instant.EPOCH;

  private static ForwardPath path(String name) {
    return new ForwardPath(name + "@example.com", name, "example.com");
  }

  private Path file() {
    return folder.resolve("answers");
  }

  private AnswerMemory open() {
    return AnswerMemory.open(file(), () -> now, new SecureRandom());
  }

  /** Remembers that BOB has it and EVE does not. */
  private static AnswerMemory.Key differing(AnswerMemory memory) {
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertTrue(memory.remember(ALICE, content, Map.of(BOB, TAKEN, EVE, FULL)));
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
    assertEquals(Hint.NONE, later.hint(ALICE, path("joe")));
    assertEquals(Hint.NONE, later.hint(new ReversePath("x@y.example", null, null), BOB));
    byte[] otherContent = SHA.clone();
    otherContent[31] = 1;
    assertEquals(Optional.empty(), later.answer(ALICE, BOB, later.content(ALICE, otherContent)));
  }

  @Test
  void nothingThatNamesAnybodyStandsInTheFile() throws IOException {
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
    assertTrue(memory.remember(ALICE, content, Map.of(BOB, Reply.of(452, "4.2.2", "later"))));
    assertEquals(0, memory.size());
  }

  @Test
  void whatWasToldDividesNoMessageAndIsStillKnown() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    memory.triedInVain(content);
    assertEquals(Kind.TRIED, memory.hint(ALICE, BOB).kind());
    memory.told(ALICE, content, List.of(BOB));
    for (AnswerMemory each : List.of(memory, open())) {
      assertEquals(Kind.NEW, each.hint(ALICE, BOB).kind());
      assertEquals(Set.of(content), each.hint(ALICE, BOB).contents());
      assertEquals(Optional.of(TAKEN), each.answer(ALICE, BOB, content));
      assertEquals(Kind.REFUSED, each.hint(ALICE, EVE).kind());
    }
  }

  @Test
  void isForgottenAfterFiveDays() {
    AnswerMemory memory = open();
    AnswerMemory.Key content = differing(memory);
    now = Instant.EPOCH.plus(Duration.ofDays(5)).minusSeconds(1);
    assertTrue(memory.answer(ALICE, BOB, content).isPresent());
    now = Instant.EPOCH.plus(Duration.ofDays(5));
    assertEquals(Optional.empty(), memory.answer(ALICE, BOB, content));
    assertEquals(Hint.NONE, memory.hint(ALICE, BOB));
    assertEquals(0, open().size());
  }

  /** A file that ends anywhere, or has a wrong one anywhere, gives what stands before that. */
  @Test
  void aDamagedFileGivesWhatIsSound() throws IOException {
    AnswerMemory memory = open();
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    long head = Files.size(file());
    memory.remember(ALICE, content, Map.of(BOB, TAKEN));
    long first = Files.size(file());
    memory.remember(ALICE, content, Map.of(EVE, FULL));
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
    AnswerMemory memory = AnswerMemory.open(file(), () -> now, new SecureRandom(), 2);
    assertTrue(memory.usable());
    AnswerMemory.Key content = differing(memory);
    assertFalse(memory.usable());
    assertTrue(memory.alarms().getFirst().contains("there are 2 of them"));
    memory.told(ALICE, content, List.of(EVE));
    assertTrue(memory.usable(), "what was told may go first");
    assertEquals(List.of(), memory.alarms());
    differing(memory);
    assertFalse(memory.usable());
    now = Instant.EPOCH.plus(Duration.ofDays(6));
    assertTrue(memory.usable());
  }

  @Test
  void whatCannotBeWrittenIsTriedAgain() throws IOException {
    Path inside = folder.resolve("state");
    AnswerMemory memory =
        AnswerMemory.open(inside.resolve("answers"), () -> now, new SecureRandom());
    assertFalse(memory.usable());
    assertTrue(memory.alarms().getFirst().contains("NoSuchFile"), memory.alarms().toString());
    AnswerMemory.Key content = memory.content(ALICE, SHA);
    assertFalse(memory.remember(ALICE, content, Map.of(BOB, TAKEN)));
    // As long as the gateway runs it is known all the same.
    assertEquals(Optional.of(TAKEN), memory.answer(ALICE, BOB, content));
    Files.createDirectory(inside);
    assertFalse(memory.usable(), "not at once");
    now = now.plusSeconds(10);
    assertTrue(memory.usable());
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
                  if (memory.remember(ALICE, content, Map.of(path(name + j), TAKEN))) {
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
    assertFalse(AnswerMemory.none().usable());
    assertEquals(List.of(), AnswerMemory.none().alarms());
    assertEquals(Hint.NONE, AnswerMemory.none().hint(ALICE, BOB));
  }
}
