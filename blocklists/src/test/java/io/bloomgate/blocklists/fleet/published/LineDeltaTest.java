package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deltas between texts: right for any two, small where little changed, harmless when damaged. */
class LineDeltaTest {

  private static final long MANY = 1_000_000;

  @TempDir Path folder;

  private byte[] delta(String before, String after) throws IOException {
    Files.writeString(folder.resolve("old"), before, ISO_8859_1);
    Files.writeString(folder.resolve("new"), after, ISO_8859_1);
    ByteArrayOutputStream delta = new ByteArrayOutputStream();
    assertTrue(LineDelta.write(folder.resolve("old"), folder.resolve("new"), delta, MANY));
    return delta.toByteArray();
  }

  private String applied(byte[] delta, long octets) throws IOException {
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    LineDelta.apply(folder.resolve("old"), new ByteArrayInputStream(delta), after, octets);
    return after.toString(ISO_8859_1);
  }

  private void holds(String before, String after, String what) throws IOException {
    assertEquals(after, applied(delta(before, after), after.length()), what);
  }

  @Test
  void anyTextLeadsToAnyOther() throws IOException {
    List<String> texts =
        List.of(
            "",
            "\n",
            "a",
            "a\n",
            "a\nb",
            "a\nb\n",
            "b\na\n",
            "\n\n\n",
            "a\r\nb\r\n",
            "x".repeat(200_000));
    for (String before : texts) {
      for (String after : texts) {
        holds(before, after, before.length() + " to " + after.length());
      }
    }
  }

  @Test
  void randomChangesOfRandomTexts() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<String> lines = new ArrayList<>();
      for (int i = random.nextInt(200); i > 0; i--) {
        lines.add("198.51.100." + random.nextInt(100) + (random.nextInt(5) == 0 ? " # x" : ""));
      }
      String before = String.join("\n", lines);
      for (int i = random.nextInt(20); i > 0 && !lines.isEmpty(); i--) {
        int at = random.nextInt(lines.size());
        switch (random.nextInt(4)) {
          case 0 -> lines.remove(at);
          case 1 -> lines.add(at, "192.0.2." + random.nextInt(256));
          case 2 -> Collections.swap(lines, at, random.nextInt(lines.size()));
          default -> lines.set(at, lines.get(at) + "\u00e4");
        }
      }
      holds(before, String.join("\n", lines) + (random.nextBoolean() ? "\n" : ""), "seed " + seed);
    }
  }

  @Test
  void whatStaysIsNotSentAgain() throws IOException {
    StringBuilder before = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      before.append("host").append(i).append(".example\n");
    }
    String after = before.toString().replace("host500.example\n", "").concat("new.example\n");
    assertTrue(delta(before.toString(), after).length < 50);
  }

  @Test
  void aTextWithMoreLinesThanTheHeapHasRoomForGetsNone() throws IOException {
    Files.writeString(folder.resolve("old"), "a\nb\nc\n");
    assertFalse(
        LineDelta.write(
            folder.resolve("old"), folder.resolve("old"), new ByteArrayOutputStream(), 2));
  }

  /** Who owns the web server can write any delta: it fails, or gives what a digest refuses. */
  @Test
  void damagedDeltasEndInAnErrorAndGiveNoMoreThanAsked() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] whole = delta("a line of text\nb line of text\n", "b line of text\na line of text\nc\n");
    for (int round = 0; round < 2000; round++) {
      byte[] damaged = whole.clone();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      ByteArrayOutputStream after = new ByteArrayOutputStream();
      try {
        LineDelta.apply(folder.resolve("old"), new ByteArrayInputStream(damaged), after, 100);
      } catch (IOException e) {
        assertFalse(e.toString().isEmpty());
      }
      assertTrue(after.size() <= 100, () -> "seed " + seed);
    }
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length - 1);
    assertThrows(IOException.class, () -> applied(cut, 100));
    assertThrows(IOException.class, () -> applied(whole, 3), "more than asked");
  }

  /** Deflated, a million of them are a kilobyte. */
  @Test
  void aStepThatGivesNothingEndsTheDelta() throws IOException {
    Files.writeString(folder.resolve("old"), "a\n");
    IOException refused = assertThrows(IOException.class, () -> applied(new byte[1_000_000], 100));
    assertEquals("the delta has a step that gives nothing", refused.getMessage());
  }
}
