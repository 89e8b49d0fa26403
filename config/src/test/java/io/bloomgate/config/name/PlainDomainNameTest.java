package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The one pass over plain names against the reading step by step. */
class PlainDomainNameTest {

  private static final long SEED = 0x91a1_4ed0_9a55L;
  private static final int NAMES = 60_000;

  /** Octets of names, and some that are none; a dot, a dash and digits often. */
  private static final String OCTETS =
      "....---0123456789abcdefghijklmnopqrstuvwxyzABCXYZ__xn /:*#\u00e4\u00ff\0";

  @Test
  void onePassReadsWhatStepByStepReads() {
    SplittableRandom random = new SplittableRandom(SEED);
    int names = 0;
    for (int i = 0; i < NAMES; i++) {
      byte[] text = text(random).getBytes(ISO_8859_1);
      int from = random.nextInt(Math.min(3, text.length + 1));
      Parsed<DomainName> expected = DomainName.stepByStep(text, from, text.length);
      Parsed<DomainName> read = DomainName.parse(text, from, text.length);
      String which = "seed " + SEED + ", number " + i + ": " + new String(text, ISO_8859_1);
      assertEquals(expected, read, which);
      if (expected instanceof Parsed.Ok<DomainName>(DomainName name, var ignored)) {
        names++;
        DomainName other = read.toOptional().orElseThrow();
        assertEquals(name.labels(), other.labels(), which);
        assertEquals(name.hashCode(), other.hashCode(), which);
      }
    }
    assertTrue(names > NAMES / 10 && names < NAMES, "names among the texts: " + names);
  }

  /** Mostly the octets of names, around the lengths where readings change. */
  private static String text(SplittableRandom random) {
    int allowed = random.nextInt(4) == 0 ? OCTETS.length() : OCTETS.indexOf(' ');
    int length = random.nextInt(8) == 0 ? 60 + random.nextInt(8) : random.nextInt(1, 30);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(OCTETS.charAt(random.nextInt(allowed)));
    }
    return random.nextInt(3) == 0 ? text + ".example" : text.toString();
  }
}
