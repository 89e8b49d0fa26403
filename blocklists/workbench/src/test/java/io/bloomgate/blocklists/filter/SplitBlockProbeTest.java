package io.bloomgate.blocklists.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The ways to test a line agree. These tests run with the module of vectors; a process without it
 * is started once.
 */
@Tag("filters")
class SplitBlockProbeTest {

  private static final List<SplitBlockProbe> PROBES =
      List.of(
          new SplitBlockProbe.Scalar(),
          new SplitBlockProbe.Vector256(),
          new SplitBlockProbe.Vector512());

  @Test
  void allWaysAgreeOnRandomLines() {
    for (long seed = 1; seed <= 4; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      long[] words = new long[8 * 64];
      for (int i = 0; i < words.length; i++) {
        // Three of four bits set: a tenth of the probes hit.
        words[i] = random.nextLong();
        words[i] |= random.nextLong();
      }
      long hits = 0;
      for (int i = 0; i < 20_000; i++) {
        long hash = random.nextLong();
        int at = 8 * random.nextInt(64);
        int expected = bitByBit(words, at, hash);
        hits += expected;
        for (SplitBlockProbe probe : PROBES) {
          String what = probe.word() + ", seed " + seed + ", hash " + hash;
          assertEquals(expected, probe.probe(words, at, hash), what);
        }
      }
      assertTrue(hits > 1000 && hits < 3000, "the lines are hit and missed: " + hits);
    }
  }

  private static int bitByBit(long[] words, int at, long hash) {
    for (int lane = 0; lane < 8; lane++) {
      if ((words[at + lane] & 1L << number(lane, hash)) == 0) {
        return 0;
      }
    }
    return 1;
  }

  /** The bit of a lane, computed with exact numbers. */
  private static int number(int lane, long hash) {
    return BigInteger.valueOf(hash)
        .multiply(BigInteger.valueOf(SplitBlockFilter.salts()[lane]))
        .shiftRight(58)
        .and(BigInteger.valueOf(63))
        .intValueExact();
  }

  @Test
  void withoutTheModuleTheScalarWayServesSilently() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    assertEquals("scalar 1110", said.strip());
    assertEquals(0, child.waitFor());
  }

  /** The other process: prints what serves and how many of 100,000 hashes hit. */
  static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws Exception {
      System.out.println(SplitBlockFilter.instructions() + " " + hits());
    }

    private static long hits() throws FilterBuildException {
      MembershipFilter filter =
          FilterKinds.build(
              FilterKind.SPLIT_BLOCK, new FilterRequest(500, 0.01), RandomHashes.of(500, 500));
      return new SplittableRandom(501).longs(100_000).filter(filter::mightContain).count();
    }
  }
}
