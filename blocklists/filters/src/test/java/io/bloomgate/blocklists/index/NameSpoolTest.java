package io.bloomgate.blocklists.index;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeats are left out on the way into an index, and nothing else is. */
class NameSpoolTest {

  private static final long HASH = 0x0123_4567_89ab_cdefL;

  @TempDir Path directory;

  private static byte[] key(String text) {
    return text.getBytes(US_ASCII);
  }

  /** As of two names that share their hash, which somebody may be lucky enough to find. */
  @Test
  void whatDiffersInAnythingIsNoRepeat() throws Exception {
    try (NameSpool spool = NameSpool.create(directory.resolve("spool"))) {
      assertTrue(spool.add(HASH, 1, 0, 0, 0, key("a.example")));
      assertFalse(spool.add(HASH, 2, 0, 0, 0, key("a.example")), "the same in another line");
      assertTrue(spool.add(HASH, 3, 0, 0, 0, key("b.example")));
      assertTrue(spool.add(HASH, 4, 0, 0, 0, key("b.exampl")));
      assertTrue(spool.add(HASH, 5, 0, 0, 1, key("b.exampl")));
      assertTrue(spool.add(HASH, 6, 0, 1, 1, key("b.exampl")));
      assertTrue(spool.add(HASH, 7, 1, 1, 1, key("b.exampl")));
      assertTrue(spool.add(HASH ^ 1L << 40, 8, 1, 1, 1, key("b.exampl")));
    }
  }
}
