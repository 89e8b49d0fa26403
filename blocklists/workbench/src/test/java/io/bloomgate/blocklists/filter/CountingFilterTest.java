package io.bloomgate.blocklists.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.filter.RemovableFilter.Removal;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Counters instead of bits: what goes out leaves no trace, what stays is found. */
@Tag("filters")
class CountingFilterTest {

  @Test
  void aHashThatDoesNotHitChangesNothing() throws Exception {
    CountingFilter filter =
        AddableFilter.fill(new CountingFilter(500, 0.2), RandomHashes.of(1, 400));
    long[] before = filter.array().words().clone();
    SplittableRandom random = new SplittableRandom(2);
    int absent = 0;
    while (absent < 2_000) {
      long hash = random.nextLong();
      if (!filter.mightContain(hash)) {
        assertEquals(Removal.ABSENT, filter.remove(hash));
        absent++;
      }
    }
    assertArrayEquals(before, filter.array().words());
    assertEquals(400, filter.shape().entries());
  }

  @Test
  void placesThatCoincideStaySymmetrical() {
    // Five counters and eight places: every hash meets itself.
    SplittableRandom random = new SplittableRandom(5);
    for (int run = 0; run < 500; run++) {
      CounterArray array = new CounterArray(new long[1], 5, 8);
      long hash = random.nextLong();
      array.add(hash);
      long once = array.words()[0];
      assertEquals(1, array.probe(hash), "run " + run);
      assertEquals(Removal.REMOVED, array.remove(hash), "run " + run);
      assertEquals(0, array.words()[0], "run " + run);
      assertEquals(0, array.used(), "run " + run);
      // A hash that needs more of a place than is there was never put in, though it hits.
      array.add(hash);
      long other = random.nextLong();
      if (array.remove(other) == Removal.ABSENT) {
        assertEquals(once, array.words()[0], "run " + run);
      }
    }
  }

  @Test
  void aCounterThatReachedItsEndStaysThere() throws Exception {
    CountingFilter filter = new CountingFilter(100, 0.01);
    long shared = 99;
    for (int i = 0; i < CounterArray.STICKY + 5; i++) {
      assertTrue(filter.add(shared));
    }
    for (int i = 0; i < 100; i++) {
      assertEquals(Removal.KEPT, filter.remove(shared));
    }
    assertTrue(filter.mightContain(shared), "never missed, as nothing knows how often it is in");
    assertEquals(CounterArray.STICKY + 5, filter.shape().entries());
    CounterArray recounted = new CounterArray(filter.array().words(), filter.array().counters(), 1);
    assertEquals(recounted.used(), filter.array().used());
  }

  @Test
  void aFullFilterTakesEqualHashesAndNoOthers() throws Exception {
    for (long seed = 1; seed <= 20; seed++) {
      CountingFilter filter = new CountingFilter(1_000, 0.01);
      SplittableRandom random = new SplittableRandom(seed);
      long first = random.nextLong();
      assertTrue(filter.add(first));
      int taken = 1;
      while (filter.add(random.nextLong())) {
        taken++;
      }
      assertTrue(taken >= 1_000 && taken < 1_200, "seed " + seed + " took " + taken);
      assertTrue(filter.expectedRate() < 0.013, "seed " + seed);
      assertTrue(filter.add(first), "needs no further counter");
      assertEquals(taken + 1, filter.shape().entries());
    }
  }

  @Test
  void theCountersOfAHashNeverChange() {
    // Golden: files that are kept were filled like this.
    CounterArray array = new CounterArray(new long[7], 100, 5);
    array.add(0x9e3779b97f4a7c15L);
    StringBuilder places = new StringBuilder();
    for (int at = 0; at < 100; at++) {
      if (((array.words()[at / 16] >>> (at % 16 * 4)) & 15) != 0) {
        places.append(at).append(' ');
      }
    }
    assertEquals("4 50 61 64 70", places.toString().strip());
  }
}
