package io.bloomgate.gateway.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Content on its way to the upstream, against a naive rendering of RFC 5321 section 4.5.2. */
class OutgoingContentTest {

  private final ContentBudget budget = new ContentBudget(Long.MAX_VALUE);

  @Test
  void agreesWithTheNaiveRenderingHoweverItIsCut() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      String content = randomContent(random);
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      OutgoingContent out = new OutgoingContent(budget);
      byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
      int position = 0;
      int heldUpTo = random.nextInt(octets.length + 1);
      while (position < heldUpTo) {
        int length = Math.min(heldUpTo - position, random.nextInt(6));
        out.hold(octets, position, length);
        position += length;
      }
      out.connect(wire::write);
      while (position < octets.length) {
        int length = Math.min(octets.length - position, random.nextInt(6));
        out.write(octets, position, length);
        position += length;
      }
      out.finish();
      assertEquals(naive(content), wire.toString(StandardCharsets.ISO_8859_1), "seed " + seed);
    }
  }

  @Test
  void growsToItsBlockAndNoFurther() throws IOException {
    Random random = new Random(7);
    byte[] octets = new byte[300_000];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) (random.nextInt(3) == 0 ? '.' : 'x');
    }
    String content = new String(octets, StandardCharsets.ISO_8859_1).replace("x.", "\r\n.");
    ByteArrayOutputStream wire = new ByteArrayOutputStream();
    OutgoingContent out =
        connected((block, offset, length) -> {
          assertTrue(length <= OutgoingContent.BLOCK_OCTETS);
          wire.write(block, offset, length);
        });
    byte[] whole = content.getBytes(StandardCharsets.ISO_8859_1);
    out.write(whole, 0, whole.length);
    out.finish();
    assertEquals(naive(content), wire.toString(StandardCharsets.ISO_8859_1));
  }

  @Test
  void sendsASmallMessageInOneWrite() throws IOException {
    int[] writes = {0};
    OutgoingContent out = new OutgoingContent(budget);
    byte[] line = "0123456789\r\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 1_000; i++) {
      out.hold(line, 0, line.length);
    }
    out.putAbove(line);
    out.connect((block, offset, length) -> writes[0]++);
    assertEquals(0, writes[0]);
    out.finish();
    assertEquals(1, writes[0]);
  }

  @Test
  void linesArePutAboveWhatIsHeld() throws IOException {
    for (int lines : new int[] {0, 1, 5_000, 20_000}) {
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      String content = ".123456789\r\n".repeat(lines);
      String stuffed = content.replace(".", "..");
      try (OutgoingContent out = new OutgoingContent(budget)) {
        byte[] octets = content.getBytes(StandardCharsets.US_ASCII);
        out.hold(octets, 0, octets.length);
        for (int most : new int[] {0, 1, 100_000, 1_000_000}) {
          assertEquals(
              stuffed.substring(0, Math.min(most, stuffed.length())),
              new String(out.copyOfHeld(most), StandardCharsets.US_ASCII));
        }
        out.putAbove("A: b\r\n".getBytes(StandardCharsets.US_ASCII));
        out.connect(wire::write);
        out.finish();
      }
      assertEquals("A: b\r\n" + stuffed + ".\r\n", wire.toString(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void nothingOfOneMessageIsSeenInTheNext() throws IOException {
    for (String text : new String[] {"secret\r\n", "other\r\n", "z\r\n"}) {
      // Each is shorter than the one before, whose blocks it gets.
      String content = text.repeat(20_000);
      byte[] octets = content.getBytes(StandardCharsets.US_ASCII);
      ByteArrayOutputStream wire = new ByteArrayOutputStream();
      try (OutgoingContent out = new OutgoingContent(budget)) {
        out.hold(octets, 0, octets.length);
        out.connect(wire::write);
        out.finish();
      }
      assertEquals(content + ".\r\n", wire.toString(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void takesLittleWhileOthersHoldMuch() {
    byte[] piece = new byte[10 * 1024];
    ContentBudget shared = new ContentBudget(1024 * 1024);
    try (OutgoingContent early = new OutgoingContent(shared)) {
      early.hold(piece, 0, piece.length);
      assertEquals(OutgoingContent.BLOCK_OCTETS, shared.takenOctets());
      shared.take(512 * 1024);
      long before = shared.takenOctets();
      try (OutgoingContent late = new OutgoingContent(shared)) {
        late.hold(piece, 0, piece.length);
        assertEquals(32 * 1024, shared.takenOctets() - before);
      }
    }
    assertEquals(512 * 1024, shared.takenOctets());
  }

  @Test
  void holdsSoMuchAndGivesItsMemoryBack() throws IOException {
    byte[] piece = new byte[1024];
    OutgoingContent message = new OutgoingContent(budget);
    for (int i = 0; i < OutgoingContent.HELD_OCTETS / piece.length; i++) {
      message.hold(piece, 0, piece.length);
      assertFalse(message.mustGo());
    }
    assertTrue(budget.takenOctets() >= OutgoingContent.HELD_OCTETS);
    message.hold(piece, 0, 1);
    assertTrue(message.large());
    assertTrue(message.mustGo());
    message.connect((block, offset, length) -> {});
    assertEquals(0, budget.takenOctets());
    message.write(piece, 0, piece.length);
    message.close();
    assertEquals(0, budget.takenOctets());
  }

  @Test
  void goesEarlierWhenAllMessagesTogetherTakeTooMuch() {
    ContentBudget small = new ContentBudget(20 * 1024);
    try (OutgoingContent one = new OutgoingContent(small);
        OutgoingContent two = new OutgoingContent(small)) {
      assertFalse(one.mustGo());
      OutgoingContent three = new OutgoingContent(small);
      assertTrue(one.mustGo());
      assertTrue(two.mustGo());
      assertFalse(two.large());
      three.close();
      assertFalse(one.mustGo());
    }
    assertEquals(0, small.takenOctets());
  }

  private static OutgoingContent connected(OutgoingContent.Sink sink) throws IOException {
    OutgoingContent out = new OutgoingContent(new ContentBudget(Long.MAX_VALUE));
    out.connect(sink);
    return out;
  }

  private static String randomContent(Random random) {
    StringBuilder content = new StringBuilder();
    int pieces = random.nextInt(30);
    for (int i = 0; i < pieces; i++) {
      content.append(
          switch (random.nextInt(5)) {
            case 0 -> ".";
            case 1 -> "\r\n";
            case 2 -> "\r\n.";
            case 3 -> "a";
            default -> String.valueOf((char) (128 + random.nextInt(128)));
          });
    }
    return content.toString();
  }

  private static String naive(String content) {
    String complete = content.isEmpty() || content.endsWith("\r\n") ? content : content + "\r\n";
    return ("\r\n" + complete).replace("\r\n.", "\r\n..").substring(2) + ".\r\n";
  }
}
