package io.bloomgate.gateway.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The search for single octets, against one that looks at them one by one. */
final class OctetScanTest {

  private static final long SEED = 20_261_121L;

  @Test
  void findsWhatAPlainSearchFinds() {
    Random random = new Random(SEED);
    for (int round = 0; round < 20_000; round++) {
      byte[] octets = new byte[random.nextInt(100)];
      // Few of them searched for, so that every path and every place of a hit is met.
      byte usual = (byte) random.nextInt(256);
      for (int i = 0; i < octets.length; i++) {
        octets[i] = random.nextInt(20) == 0 ? (byte) random.nextInt(256) : usual;
      }
      int start = random.nextInt(octets.length + 1);
      int end = start + random.nextInt(octets.length - start + 1);
      int bound = 1 + random.nextInt(128);
      byte value = (byte) random.nextInt(256);
      String where = "seed " + SEED + ", round " + round;
      int below = start;
      while (below < end && (octets[below] & 0xff) >= bound) {
        below++;
      }
      assertEquals(below, OctetScan.firstBelow(octets, start, end, bound), where);
      int equal = start;
      while (equal < end && octets[equal] != value) {
        equal++;
      }
      assertEquals(equal, OctetScan.indexOf(octets, start, end, value), where);
    }
  }
}
