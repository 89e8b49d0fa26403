package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.RemovableFilter;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.RoaringBitmap;

/**
 * The ways to keep a set that {@link ComparisonRun} compares, by name: exact ones, and our kinds of
 * filter. One thread.
 */
final class ComparisonSets {

  private static final long IPV4 = 1L << 32;

  private ComparisonSets() {}

  /**
   * A set under test.
   *
   * @param contains true when the hash is, or may be, inside
   * @param remove takes a hash out; {@code null} where that cannot be done
   */
  record Made(HashPeer contains, @Nullable LongConsumer remove) {}

  /** A set of the hashes; bitmaps take the lower 32 bits of each, as an IPv4 address. */
  static Made make(String name, long[] hashes) {
    return switch (name) {
      case "hash-set" -> hashSet(hashes);
      case "sorted-array" -> sortedArray(hashes);
      case "md5-set" -> md5Set(hashes);
      case "bitmap" -> bitmap(hashes);
      case "roaring" -> roaring(hashes);
      default -> filter(HashPeers.ours(HashPeers.kind(name), hashes, rate(name)));
    };
  }

  /** Fuse filters have one rate each. */
  private static double rate(String name) {
    return name.equals("fuse16") ? 1.0 / (1 << Short.SIZE) : LookupRun.RATE;
  }

  private static Made filter(MembershipFilter filter) {
    return new Made(filter::mightContain, filter instanceof RemovableFilter r ? r::remove : null);
  }

  private static Made hashSet(long[] hashes) {
    Set<Long> set = new HashSet<>();
    for (long hash : hashes) {
      set.add(hash);
    }
    return new Made(set::contains, set::remove);
  }

  private static Made sortedArray(long[] hashes) {
    long[] sorted = hashes.clone();
    Arrays.sort(sorted);
    return new Made(hash -> Arrays.binarySearch(sorted, hash) >= 0, null);
  }

  /** The digest of a key in its place, as crawlers keep URLs. */
  private record Digest(long high, long low) {}

  private static Made md5Set(long[] hashes) {
    MessageDigest md5 = md5();
    Set<Digest> set = new HashSet<>();
    for (long hash : hashes) {
      set.add(digest(md5, hash));
    }
    return new Made(hash -> set.contains(digest(md5, hash)), hash -> set.remove(digest(md5, hash)));
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Digest digest(MessageDigest md5, long hash) {
    ByteBuffer digest =
        ByteBuffer.wrap(md5.digest(ByteBuffer.allocate(Long.BYTES).putLong(hash).array()));
    return new Digest(digest.getLong(), digest.getLong());
  }

  private static Made bitmap(long[] hashes) {
    long[] words = new long[(int) (IPV4 / Long.SIZE)];
    for (long hash : hashes) {
      words[(int) hash >>> 6] |= 1L << hash;
    }
    return new Made(
        hash -> (words[(int) hash >>> 6] >>> hash & 1) != 0,
        hash -> words[(int) hash >>> 6] &= ~(1L << hash));
  }

  private static Made roaring(long[] hashes) {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (long hash : hashes) {
      bitmap.add((int) hash);
    }
    bitmap.runOptimize();
    return new Made(hash -> bitmap.contains((int) hash), hash -> bitmap.remove((int) hash));
  }
}
