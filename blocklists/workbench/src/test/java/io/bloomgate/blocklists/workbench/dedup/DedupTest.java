package io.bloomgate.blocklists.workbench.dedup;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that pass, lines that do not, and what is remembered for how long. */
class DedupTest {

  private static final long SECOND = 1_000_000_000L;
  private static final Dedup.Plan USUAL = new Dedup.Plan(100_000, 1e-6, Duration.ZERO, false, null);
  private static final Dedup.Plan REPEATED =
      new Dedup.Plan(100_000, 1e-6, Duration.ZERO, true, null);

  private long now;
  private Dedup.Summary summary = new Dedup.Summary(0, 0, 0, 0);

  private Dedup start(Dedup.Plan plan) throws OfflineException {
    return new Dedup(plan, new WorkbenchTools(() -> new SplittableRandom(7), () -> now, 1L << 29));
  }

  private String run(Dedup.Plan plan, String text) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    summary = start(plan).run(new ByteArrayInputStream(text.getBytes(ISO_8859_1)), out, () -> true);
    return out.toString(ISO_8859_1);
  }

  @Test
  void aLinePassesOnce() throws Exception {
    assertEquals("a\nb\n\nc\n", run(USUAL, "a\nb\na\n\n\nb\nc\n"));
    assertEquals("a\n\nb\n", run(REPEATED, "a\nb\na\n\n\nb\nc\n"));
    assertEquals(new Dedup.Summary(7, 3, 0, 0), summary);
  }

  @Test
  void octetsPassAsTheyAre() throws Exception {
    String lines = "a\r\na\n\u00ff\u00fe\0\n\u00ff\u00fe\n \n";
    assertEquals(lines, run(USUAL, lines));
  }

  @Test
  void aLastLineGetsItsEnd() throws Exception {
    assertEquals("a\nb\n", run(USUAL, "a\nb"));
    assertEquals("a\n", run(USUAL, "a\na"));
    assertEquals("", run(USUAL, ""));
  }

  /** The very longest line is compared; one octet more and it passes, however often it comes. */
  @Test
  void tooLongLinesPass() throws Exception {
    String longest = "x".repeat(Dedup.MAX_LINE_OCTETS) + "\n";
    String tooLong = "x" + longest;
    assertEquals(longest + "a\n", run(USUAL, "" + longest + "a\n" + longest + "a\n"));
    assertEquals(0, summary.longLines());
    assertEquals(tooLong + "a\n" + tooLong, run(USUAL, tooLong + "a\n" + tooLong + "a"));
    assertEquals(new Dedup.Summary(4, 3, 2, 0), summary);
    assertEquals("a\n", run(REPEATED, tooLong + "a\n" + tooLong + "a"));
    String endless = "y".repeat(3 * Dedup.MAX_LINE_OCTETS);
    assertEquals("a\n" + endless + "\n", run(USUAL, "a\na\n" + endless));
    assertEquals(1, summary.longLines());
  }

  /** Whatever pieces the input comes in, the answer is that of an exact set. */
  @Test
  void piecesMakeNoDifference() throws Exception {
    long seed = new Random().nextLong();
    SplittableRandom random = new SplittableRandom(seed);
    StringBuilder text = new StringBuilder();
    StringBuilder expected = new StringBuilder();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      String line = "user" + random.nextInt(5_000) + "@mail.example\n";
      text.append(line);
      expected.append(seen.add(line) ? line : "");
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    InputStream pieces =
        new ByteArrayInputStream(text.toString().getBytes(ISO_8859_1)) {
          @Override
          public synchronized int read(byte[] to, int from, int length) {
            return super.read(to, from, Math.min(length, 1 + random.nextInt(3000)));
          }
        };
    start(USUAL).run(pieces, out, () -> true);
    assertEquals(expected.toString(), out.toString(ISO_8859_1), "seed " + seed);
  }

  /** Before the next read, all that is known is out: {@code tail -f} shows a line when it comes. */
  @Test
  void outputNeverWaitsForInput() throws Exception {
    List<String> written = new ArrayList<>();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    OutputStream flushed =
        new OutputStream() {
          @Override
          public void write(int octet) {
            out.write(octet);
          }

          @Override
          public void flush() {
            written.add(out.toString(ISO_8859_1));
            out.reset();
          }
        };
    InputStream slow =
        new InputStream() {
          private int next;

          @Override
          public int read() throws IOException {
            throw new IOException("reads octet by octet");
          }

          @Override
          public int read(byte[] to, int from, int length) {
            assertEquals(next / 2, written.size(), "lines written before read " + next);
            String piece = next % 2 == 0 ? "line" : next + "\n";
            System.arraycopy(piece.getBytes(ISO_8859_1), 0, to, from, piece.length());
            return next++ == 6 ? -1 : piece.length();
          }
        };
    start(USUAL).run(slow, flushed, () -> true);
    assertEquals(List.of("line1\n", "line3\n", "line5\n"), written);
  }

  @Test
  void nothingMoreIsReadWhenNobodyWantsIt() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    start(USUAL)
        .run(
            new InputStream() {
              @Override
              public int read() {
                return 'x';
              }
            },
            out,
            () -> false);
    assertEquals(0, summary.lines());
  }

  /** What comes again within the window is a repeat; a window and a seventh later it is new. */
  @Test
  void theWindowSlides() {
    SeenRing ring = new SeenRing(SeenRing.Size.of(1000, 1e-6), SeenRing.period(70 * SECOND), 0);
    assertTrue(ring.isNew(1, 0));
    for (long at = 60; at < 600; at += 60) {
      ring.advance(at * SECOND);
      assertEquals(false, ring.isNew(1, at * SECOND), "came 60 s ago, at " + at);
    }
    ring.advance(609 * SECOND);
    assertTrue(ring.isNew(2, 609 * SECOND));
    assertEquals(false, ring.isNew(1, 609 * SECOND), "69 s later");
    ring.advance(679 * SECOND);
    assertEquals(false, ring.isNew(2, 679 * SECOND), "70 s later");
    ring.advance(760 * SECOND);
    assertTrue(ring.isNew(2, 760 * SECOND), "81 s later");
    ring.advance(Long.MAX_VALUE / 2);
    assertTrue(ring.isNew(2, Long.MAX_VALUE / 2), "much later");
    assertEquals(0, ring.forgotTooEarly());
  }

  /** The last lines asked for are remembered, and at most a seventh more, for ever. */
  @Test
  void memoryIsConstant() {
    int entries = 7_000;
    SeenRing.Size size = SeenRing.Size.of(entries, 1e-4);
    SeenRing ring = new SeenRing(size, 0, 0);
    for (int i = 0; i < 100_000; i++) {
      ring.isNew(hash(i), 0);
      // A question remembers, too, so there are few.
      if (i >= entries && i % 997 == 0) {
        assertEquals(false, ring.isNew(hash(i - entries + 10), 0), i + " came not long ago");
      }
    }
    assertTrue(ring.forgotTooEarly() > 0);
    SeenRing other = new SeenRing(size, 0, 0);
    for (int i = 0; i < entries + 1; i++) {
      other.isNew(hash(i), 0);
    }
    assertEquals(0, other.forgotTooEarly());
  }

  /** With all filters full the ratio is what was asked, and hardly lower. */
  @Test
  void theRateIsAsAsked() {
    for (double rate : new double[] {0.1, 0.01, 0.001}) {
      int entries = 70_000;
      SeenRing ring = new SeenRing(SeenRing.Size.of(entries, rate), 0, 0);
      for (int i = 0; i < entries * 8 / 7; i++) {
        ring.isNew(hash(i), 0);
      }
      int repeats = 0;
      int probes = 10_000;
      // Few enough not to move the filters much.
      for (int i = 0; i < probes; i++) {
        repeats += ring.isNew(hash(1_000_000_000L + i), 0) ? 0 : 1;
      }
      double expected = rate * probes;
      assertTrue(
          Math.abs(repeats - expected) < 5 * Math.sqrt(expected) + 0.15 * expected,
          rate + ": " + repeats);
    }
  }

  @Test
  void whatDoesNotFitIsRefused() {
    Dedup.Plan much = new Dedup.Plan(900_000_000, 1e-9, Duration.ZERO, false, null);
    assertThrows(OfflineException.class, () -> start(much));
    Dedup.Plan heap = new Dedup.Plan(300_000_000, 0.001, Duration.ZERO, false, null);
    OfflineException e = assertThrows(OfflineException.class, () -> start(heap));
    assertTrue(e.hint().contains("BLOOMGATE_CLI_JAVA_OPTS"), e.hint());
    Dedup.Plan none = new Dedup.Plan(0, 0.001, Duration.ZERO, false, null);
    assertThrows(OfflineException.class, () -> start(none));
  }

  private static Dedup.Plan kept(int entries, Path file, LongSupplier now, boolean deletes) {
    return new Dedup.Plan(
        entries, 1e-6, Duration.ofSeconds(70), false, new Dedup.State(file, now, deletes));
  }

  private String keep(Path file, boolean deletes, String text) throws Exception {
    return run(kept(1_000, file, () -> now, deletes), text);
  }

  /** Window, deletion and restart together: each call is one program. */
  @Test
  void aStateOutlivesTheProgram(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("state");
    now = 1_000 * SECOND;
    assertEquals("a\nb\n", keep(file, false, "a\nb\na\n"));
    now += 30 * SECOND;
    assertEquals("c\n", keep(file, false, "a\nb\nc\n"));
    assertEquals("", keep(file, true, "a\nx\n"));
    assertEquals("a\nx\n", keep(file, false, "a\nb\na\nx\n"), "what was deleted is new once");
    now += 69 * SECOND;
    assertEquals("", keep(file, false, "a\nb\n"), "within the window");
    now += 300 * SECOND;
    assertEquals("a\nb\n", keep(file, false, "a\nb\n"), "the window went on while nothing ran");
  }

  @Test
  void aStateOfAnotherPlanIsRefused(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("state");
    keep(file, false, "a\n");
    assertThrows(OfflineException.class, () -> start(kept(2_000, file, () -> 0, false)));
    byte[] octets = Files.readAllBytes(file);
    octets[700] ^= 1;
    Files.write(file, octets);
    assertThrows(OfflineException.class, () -> keep(file, false, "a\n"));
    Path missing = folder.resolve("missing");
    assertThrows(OfflineException.class, () -> keep(missing, true, "a\n"));
  }

  private static long hash(long i) {
    return SplitMix.mix(i * 0x9e3779b97f4a7c15L);
  }
}
