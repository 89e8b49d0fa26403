package io.bloomgate.blocklists.campaign;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.dynatrace.hash4j.similarity.SuperMinHashVersion;
import io.bloomgate.config.name.Likeness;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Minima, against those of hash4j of all hashes at once. */
final class MinimaTest {

  private static final long SEED = 20_261_127;

  private static final SimilarityHashPolicy POLICY =
      SimilarityHashing.superMinHash(Likeness.MINIMA, Short.SIZE, SuperMinHashVersion.V1);

  private final Minima minima = new Minima();

  @Test
  void areThoseOfHash4j() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 5_000; round++) {
      int count = 1 + random.nextInt(1 << random.nextInt(1, 11));
      assertSame(random.longs(count).toArray(), random, "round " + round);
    }
  }

  /** In a text that repeats itself some minima get no value from the first look at it. */
  @Test
  void areThoseOfHash4jWhenFewHashesComeOften() {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int round = 0; round < 500; round++) {
      long[] few = random.longs(1 + random.nextInt(60)).toArray();
      long[] often =
          random.ints(1 + random.nextInt(2_000), 0, few.length).mapToLong(i -> few[i]).toArray();
      assertSame(often, random, "round " + round);
    }
  }

  /** No set of hashes that a text can have is as large as one that leaves a minimum open. */
  @Test
  void areThoseOfHash4jWhenManyHashesLeaveAMinimumOpen() {
    SplittableRandom random = new SplittableRandom(SEED);
    int open = Likeness.MINIMA - 1;
    long[] hashes =
        random
            .longs()
            .filter(hash -> (int) Seeds.of(hash, 2) >>> 27 != open)
            .limit(2_000)
            .toArray();
    assertSame(hashes, random, "open");
  }

  private void assertSame(long[] hashes, SplittableRandom random, String what) {
    for (int at = 0; at < hashes.length; ) {
      int count = Math.min(hashes.length - at, random.nextInt(200));
      long[] some = new long[count + 1];
      System.arraycopy(hashes, at, some, 0, count);
      some[count] = random.nextLong(); // behind those that count
      minima.add(some, count);
      at += count;
    }
    assertEquals(byHash4j(hashes), minima.likeness(), "seed " + SEED + " " + what);
    minima.clear();
  }

  private static Likeness byHash4j(long[] hashes) {
    byte[] signature =
        POLICY
            .createHasher()
            .compute(ElementHashProvider.ofFunction(i -> hashes[i], hashes.length));
    short[] components = new short[Likeness.MINIMA];
    for (int i = 0; i < components.length; i++) {
      components[i] = (short) POLICY.getComponent(signature, i);
    }
    return Likeness.of(components);
  }
}
