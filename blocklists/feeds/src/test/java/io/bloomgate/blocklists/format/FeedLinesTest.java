package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Cutting lines against a reference, with reads of any size. */
class FeedLinesTest {

  private static final long SEED = 0x10ad_ed5e_ed07L;

  /** Gives a few octets at a time. */
  private static final class Dripping extends ByteArrayInputStream {
    private final Random random;

    Dripping(byte[] octets, Random random) {
      super(octets);
      this.random = random;
    }

    @Override
    public synchronized int read(byte[] target, int from, int length) {
      return super.read(target, from, Math.min(length, 1 + random.nextInt(7)));
    }
  }

  private static List<String> lines(InputStream text) throws IOException {
    List<String> lines = new ArrayList<>();
    FeedLines cut = new FeedLines(text);
    while (cut.next()) {
      lines.add(
          new String(cut.octets(), cut.from(), cut.to() - cut.from(), ISO_8859_1)
              + (cut.overlong() ? "+" : ""));
      assertEquals(lines.size(), cut.number());
    }
    return lines;
  }

  @Test
  void cutsAsTheReferenceDoes() throws IOException {
    Random random = new Random(SEED);
    for (int i = 0; i < 2000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(200); n > 0; n--) {
        text.append("ab\r\n".charAt(random.nextInt(4)));
      }
      byte[] octets = text.toString().getBytes(ISO_8859_1);
      assertEquals(
          text.toString().lines().toList(),
          lines(new Dripping(octets, random)),
          "seed " + SEED + " round " + i);
    }
  }

  @Test
  void linesAcrossBuffersAndBeyondTheLimit() throws IOException {
    int limit = FeedLimits.LINE_OCTETS;
    for (String end : List.of("\n", "\r\n", "\r")) {
      for (int length = limit - 2; length <= limit + 2; length++) {
        String text = "first" + end + "x".repeat(length) + end + end + "last";
        List<String> expected =
            List.of(
                "first", length > limit ? "x".repeat(limit) + "+" : "x".repeat(length), "", "last");
        List<String> seen =
            lines(new ByteArrayInputStream(text.getBytes(ISO_8859_1))).stream()
                .map(l -> l.length() > limit + 1 ? l.substring(0, limit) + "+" : l)
                .toList();
        assertEquals(expected, seen, "length " + length);
      }
      String text = "first" + end + "x".repeat(limit * 5) + end + "last";
      assertEquals(3, lines(new ByteArrayInputStream(text.getBytes(ISO_8859_1))).size());
    }
  }
}
