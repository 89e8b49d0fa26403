package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.dynatrace.hash4j.similarity.SuperMinHashVersion;
import io.bloomgate.config.name.Likeness;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The minima of a set of hashes (SuperMinHash, Ertl 2017, as hash4j defines it). Used by the {@link
 * Trigrams} of one mail after the other.
 *
 * <p>Each hash lowers one minimum. Only when that leaves some without a value, as in short texts,
 * hashes lower others as well: those texts are left to hash4j, and hashes are kept until all minima
 * have a value. Equal hashes are kept once, so that no text that repeats itself takes long.
 */
final class Minima implements ElementHashProvider {

  /** The version is fixed: operator entries keep minima. */
  private static final SimilarityHashPolicy POLICY =
      SimilarityHashing.superMinHash(Likeness.MINIMA, Short.SIZE, SuperMinHashVersion.V1);

  /** All minima have a value after about 130 hashes. */
  private static final int FIRST_SET = 256;

  private static final int INDEX_BITS = Integer.numberOfTrailingZeros(Likeness.MINIMA);

  /** A bit for each minimum that has no value yet. */
  private int open = -1;

  private final long[] least = new long[Likeness.MINIMA];

  /** Hashes by their lowest bits, or in the next place that is free; a zero is a free place. */
  private long[] set = new long[FIRST_SET];

  private int kept;
  private @Nullable SimilarityHasher hasher;

  Minima() {
    Arrays.fill(least, Long.MAX_VALUE);
  }

  /** Takes the first of some hashes; one of zero, which no text has, counts only in long texts. */
  void add(long[] hashes, int count) {
    int i = 0;
    for (; i < count && open != 0; i++) {
      long hash = hashes[i];
      lower(hash);
      open &= ~(1 << index(hash));
      keep(hash);
    }
    for (; i < count; i++) {
      lower(hashes[i]);
    }
  }

  private void lower(long hash) {
    int index = index(hash);
    least[index] = Math.min(least[index], Seeds.of(hash, 1));
  }

  /** The highest bits of the lower half. */
  private static int index(long hash) {
    return (int) Seeds.of(hash, 2) >>> (Integer.SIZE - INDEX_BITS);
  }

  private void keep(long hash) {
    int at = place(hash);
    if (set[at] != hash) {
      set[at] = hash;
      kept++;
      if (2 * kept > set.length) {
        grow();
      }
    }
  }

  private int place(long hash) {
    int at = (int) hash & (set.length - 1);
    while (set[at] != 0 && set[at] != hash) {
      at = (at + 1) & (set.length - 1);
    }
    return at;
  }

  private void grow() {
    long[] all = set;
    set = new long[2 * all.length];
    for (long hash : all) {
      set[place(hash)] = hash;
    }
  }

  /** The minima of one hash or more. */
  Likeness likeness() {
    short[] minima = new short[Likeness.MINIMA];
    if (open == 0) {
      for (int i = 0; i < minima.length; i++) {
        minima[i] = (short) least[i];
      }
    } else {
      byte[] signature = byHash4j();
      for (int i = 0; i < minima.length; i++) {
        minima[i] = (short) POLICY.getComponent(signature, i);
      }
    }
    return Likeness.of(minima);
  }

  private byte[] byHash4j() {
    int count = 0;
    for (long hash : set) {
      if (hash != 0) {
        set[count++] = hash; // no place is looked for any more
      }
    }
    SimilarityHasher one = hasher == null ? POLICY.createHasher() : hasher;
    hasher = one;
    return one.compute(this);
  }

  /** The next set begins. */
  void clear() {
    open = -1;
    Arrays.fill(least, Long.MAX_VALUE);
    Arrays.fill(set, 0);
    kept = 0;
  }

  @Override
  public long getElementHash(int element) {
    return set[element];
  }

  @Override
  public int getNumberOfElements() {
    return kept;
  }
}
