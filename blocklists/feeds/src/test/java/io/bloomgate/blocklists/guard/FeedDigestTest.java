package io.bloomgate.blocklists.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomgate.blocklists.guard.FeedDigest.Kind;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Counts and comparisons of large versions. */
class FeedDigestTest {

  private static final int NAMES = 1_000_000;

  private static FeedDigest digest(long[] live, long... held) {
    return new FeedDigest(
        Map.of(Kind.DOMAIN, live), Map.of(Kind.DOMAIN, held), 0, Map.of(), List.of(), 0, false);
  }

  /** The numbers of these names in one match mode. */
  private static long number(long name, int match) {
    return (name << 2) + match;
  }

  @Test
  void aNameCountsOnceWhateverItsMatchAndWhetherItIsHeld() {
    long[] live = {number(1, 0), number(1, 1), number(2, 0), number(4, 2)};
    assertEquals(4, digest(live, number(2, 1), number(2, 2), number(3, 0)).count(Kind.DOMAIN));
    FeedDigest other = digest(new long[] {number(1, 2), number(3, 0)});
    assertEquals(6, digest(live).changes(other));
    assertEquals(3, digest(live).comparedByName().changes(other));
  }

  /** A gateway with the usual heap would end: ten million boxed numbers are 700 MB. */
  @Test
  void oneNameThatIsHeldCostsNoMemoryForAllOthers() {
    long[] live = new SplittableRandom(42).longs(NAMES).sorted().toArray();
    FeedDigest digest = digest(live, live[7] + 8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    long domains = digest.count(Kind.DOMAIN);
    long octets = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(NAMES + 1, domains);
    assertTrue(octets < 1 << 20, octets + " octets");
  }
}
