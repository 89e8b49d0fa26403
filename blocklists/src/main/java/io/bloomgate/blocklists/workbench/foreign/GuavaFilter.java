package io.bloomgate.blocklists.workbench.foreign;

import com.dynatrace.hash4j.hashing.HashValue128;
import com.dynatrace.hash4j.hashing.Hasher128;
import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.ByteBuffer;

/**
 * Guava's {@code BloomFilter} as {@code writeTo} writes it: an octet for the strategy, one for the
 * number of hashes, the number of words as 32 bits, the words, all big-endian. There is no magic
 * and no checksum. Keys are what {@code Funnels.byteArrayFunnel()} and {@code stringFunnel(UTF_8)}
 * put in: the octets. Their hash is MurmurHash3 of 128 bits with seed 0.
 */
public final class GuavaFilter implements ForeignFilter, ForeignFormat.Builder {

  private static final int HEAD_OCTETS = 6;
  private static final int MAX_HASHES = 255;
  private static final double LN_2 = Math.log(2);

  private static final Hasher128 MURMUR = Hashing.murmur3_128();

  /** How a key's places follow from its hash. */
  private enum Strategy {
    /** 32 bits of the hash; what Guava wrote before version 17. */
    MURMUR128_MITZ_32(0),
    /** 64 bits of the hash. */
    MURMUR128_MITZ_64(1);

    private final byte octet;

    Strategy(int octet) {
      this.octet = (byte) octet;
    }

    /** The strategy of an octet that {@link #looksLike} has seen. */
    static Strategy of(byte octet) {
      return octet == MURMUR128_MITZ_32.octet ? MURMUR128_MITZ_32 : MURMUR128_MITZ_64;
    }
  }

  private final Strategy strategy;
  private final int hashes;
  private final long[] words;

  private GuavaFilter(Strategy strategy, int hashes, long[] words) {
    this.strategy = strategy;
    this.hashes = hashes;
    this.words = words;
  }

  /**
   * An empty filter, of the size that {@code BloomFilter.create} makes.
   *
   * @param capacity keys that it is made for, at least 1
   * @param rate ratio of false positives at capacity
   */
  static GuavaFilter create(long capacity, double rate) {
    long bits = (long) (-capacity * Math.log(rate) / (LN_2 * LN_2));
    int hashes = Math.max(1, (int) Math.round(-Math.log(rate) / LN_2));
    long words = Math.max(1, Math.ceilDiv(bits, Long.SIZE));
    return new GuavaFilter(
        Strategy.MURMUR128_MITZ_64, Math.min(hashes, MAX_HASHES), new long[Math.toIntExact(words)]);
  }

  /** Memory of such a filter. */
  static long octets(long capacity, double rate) {
    return (long) (-capacity * Math.log(rate) / (LN_2 * LN_2)) / Byte.SIZE;
  }

  /** True when the first octets and the length of a file are those of such a filter. */
  static boolean looksLike(ByteBuffer head, long fileOctets) {
    return head.remaining() >= HEAD_OCTETS
        && head.get(0) >= 0
        && head.get(0) <= Strategy.MURMUR128_MITZ_64.octet
        && head.get(1) != 0
        && head.getInt(2) > 0
        && fileOctets == HEAD_OCTETS + (long) head.getInt(2) * Long.BYTES;
  }

  /** The filter of a file that looks like one. */
  static GuavaFilter read(ByteBuffer file) {
    Strategy strategy = Strategy.of(file.get());
    int hashes = Byte.toUnsignedInt(file.get());
    long[] words = new long[file.getInt()];
    file.asLongBuffer().get(words);
    return new GuavaFilter(strategy, hashes, words);
  }

  @Override
  public ByteBuffer write(String name) {
    ByteBuffer file = ByteBuffer.allocate(HEAD_OCTETS + words.length * Long.BYTES);
    file.put(strategy.octet).put((byte) hashes).putInt(words.length);
    for (long word : words) {
      file.putLong(word);
    }
    return file.flip();
  }

  @Override
  public void add(byte[] key) {
    visit(key, true);
  }

  @Override
  public boolean mightContain(byte[] key) {
    return visit(key, false);
  }

  /** Goes through the places of a key; true when all were set. */
  private boolean visit(byte[] key, boolean set) {
    HashValue128 hash = MURMUR.hashBytesTo128Bits(key);
    // Guava reads the 128 bits as octets from the lowest on.
    long first = hash.getLeastSignificantBits();
    long second = hash.getMostSignificantBits();
    boolean all = true;
    for (int i = 1; i <= hashes; i++) {
      long place =
          switch (strategy) {
            case MURMUR128_MITZ_64 -> (first + (i - 1) * second) & Long.MAX_VALUE;
            case MURMUR128_MITZ_32 -> positive((int) first + i * (int) (first >>> Integer.SIZE));
          };
      long bit = place % ((long) words.length * Long.SIZE);
      long mask = 1L << bit;
      int word = (int) (bit / Long.SIZE);
      all &= (words[word] & mask) != 0;
      if (set) {
        words[word] |= mask;
      }
    }
    return all;
  }

  private static int positive(int combined) {
    return combined < 0 ? ~combined : combined;
  }

  @Override
  public JsonObject toJson() {
    long set = 0;
    for (long word : words) {
      set += Long.bitCount(word);
    }
    double fill = set / ((double) words.length * Long.SIZE);
    return JsonValue.object()
        .put("kind", "guava")
        .put("strategy", strategy.name())
        .put("bits", (long) words.length * Long.SIZE)
        .put("hashes", (long) hashes)
        .put("fill", fill)
        .put("expected_fpp", Math.pow(fill, hashes))
        .build();
  }
}
