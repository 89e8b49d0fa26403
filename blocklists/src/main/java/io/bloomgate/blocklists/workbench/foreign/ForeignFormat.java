package io.bloomgate.blocklists.workbench.foreign;

import java.nio.ByteBuffer;
import java.util.Locale;

/** The formats that are written. */
public enum ForeignFormat {
  /** {@code BloomFilter.readFrom} reads it, with {@code Funnels.stringFunnel(UTF_8)}. */
  GUAVA,
  /** {@code redis-cli --pipe} loads it. */
  REDISBLOOM;

  /** A filter that is filled. */
  public interface Builder {
    /** Puts a key in. */
    void add(byte[] key);

    /** False when the key is certainly not in. */
    boolean mightContain(byte[] key);

    /**
     * The file.
     *
     * @param name the key of the Redis server that will hold it; other formats have none
     */
    ByteBuffer write(String name);
  }

  /** As commands spell it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Memory of a filter while it is made and written. */
  public long octets(long capacity, double rate) {
    return switch (this) {
      case GUAVA -> 2 * GuavaFilter.octets(capacity, rate);
      case REDISBLOOM -> 3 * RedisBloomFilter.octets(capacity, rate);
    };
  }

  /**
   * An empty filter.
   *
   * @param capacity keys that it is made for, at least 1
   * @param rate ratio of false positives at capacity
   */
  public Builder create(long capacity, double rate) {
    return switch (this) {
      case GUAVA -> GuavaFilter.create(capacity, rate);
      case REDISBLOOM -> RedisBloomFilter.create(capacity, rate);
    };
  }
}
