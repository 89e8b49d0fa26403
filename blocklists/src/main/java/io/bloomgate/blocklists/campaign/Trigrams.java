package io.bloomgate.blocklists.campaign;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.dynatrace.hash4j.similarity.SuperMinHashVersion;
import io.bloomgate.config.name.Likeness;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Seeded hashes of each three words beside each other, and the minima of them (SuperMinHash, Ertl
 * 2017). Used by one {@link BodyPrint} for one mail after the other.
 */
final class Trigrams implements ElementHashProvider {

  /** The version is fixed: operator entries keep minima. */
  private static final SimilarityHashPolicy POLICY =
      SimilarityHashing.superMinHash(Likeness.MINIMA, Short.SIZE, SuperMinHashVersion.V1);

  /** Octets of a word that are read at once, with what is behind it. */
  static final int READ = 2 * Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** By the number of octets that count: of the first eight of them. */
  private static final long[] FIRST_MASK = masks(0);

  /** The same of the second eight. */
  private static final long[] SECOND_MASK = masks(Long.BYTES);

  /** Hashes that are kept in one array. */
  private static final int CHUNK = 128;

  private static final int MOST_CHUNKS = Math.ceilDiv(BodyPrint.MOST_WORDS, CHUNK);

  private final long first;
  private final long second;
  private final long third;
  private final long[][] hashes = new long[MOST_CHUNKS][];
  private @Nullable SimilarityHasher minima;
  private int count;
  private int words;
  private long before;
  private long last;

  Trigrams(long seed) {
    this.first = Seeds.of(seed, 1);
    this.second = Seeds.of(seed, 2);
    this.third = Seeds.of(seed, 3);
  }

  private static long[] masks(int from) {
    long[] masks = new long[READ + 1];
    for (int length = 0; length <= READ; length++) {
      int octets = Math.clamp(length - from, 0, Long.BYTES);
      masks[length] = octets == 0 ? 0 : -1L >>> (Long.SIZE - Byte.SIZE * octets);
    }
    return masks;
  }

  /**
   * The next word.
   *
   * @param octets with {@link #READ} more of anything behind the word
   */
  void word(byte[] octets, int from, int length) {
    long word = hash(octets, from, length);
    if (words >= 2) {
      long[] chunk = hashes[count / CHUNK];
      if (chunk == null) {
        chunk = new long[CHUNK];
        hashes[count / CHUNK] = chunk;
      }
      chunk[count % CHUNK] = mixed(mixed(before, last ^ second), word ^ third);
      count++;
    }
    words++;
    before = last;
    last = word;
  }

  /** Words are short and of any length, so the way of a word through here has no branch. */
  private long hash(byte[] octets, int from, int length) {
    long seed = first;
    int at = from;
    int left = length;
    while (left > READ) {
      seed =
          mixed(
              (long) LONGS.get(octets, at) ^ seed,
              (long) LONGS.get(octets, at + Long.BYTES) ^ second);
      at += READ;
      left -= READ;
    }
    long low = (long) LONGS.get(octets, at) & FIRST_MASK[left];
    long high = (long) LONGS.get(octets, at + Long.BYTES) & SECOND_MASK[left];
    return mixed(mixed(low ^ seed, high ^ second), length ^ third);
  }

  /** Two numbers as one, by their full product as wyhash does it. */
  private static long mixed(long one, long other) {
    return (one * other) ^ Math.unsignedMultiplyHigh(one, other);
  }

  /** The minima of the words so far, three or more. */
  Likeness likeness() {
    SimilarityHasher hasher = minima == null ? POLICY.createHasher() : minima;
    minima = hasher;
    byte[] signature = hasher.compute(this);
    short[] components = new short[Likeness.MINIMA];
    for (int i = 0; i < components.length; i++) {
      components[i] = (short) POLICY.getComponent(signature, i);
    }
    return Likeness.of(components);
  }

  /** The next text begins. */
  void clear() {
    count = 0;
    words = 0;
  }

  @Override
  public long getElementHash(int element) {
    return hashes[element / CHUNK][element % CHUNK];
  }

  @Override
  public int getNumberOfElements() {
    return count;
  }
}
