package io.bloomgate.bench;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.cassandra.utils.IFilter;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;
import org.fastfilter.Filter;
import org.fastfilter.FilterType;

/**
 * Builds a set of hashes by the name of its maker: a kind of ours as commands spell it, {@code
 * fastfilter-TYPE}, or another library. A benchmark's process makes one of them only, so that its
 * calls have one target.
 */
final class HashPeers {

  private static final String FASTFILTER = "fastfilter-";

  private HashPeers() {}

  /**
   * A set that holds the hashes.
   *
   * @param rate ratio of false positives asked for; exact sets do not care
   */
  static HashPeer build(String name, long[] hashes, double rate) {
    if (name.startsWith(FASTFILTER)) {
      String type = name.substring(FASTFILTER.length()).toUpperCase(Locale.ROOT).replace('-', '_');
      return fastfilter(FilterType.valueOf(type), hashes, rate);
    }
    return switch (name) {
      case "guava" -> guava(hashes, rate);
      case "cassandra" -> new Cassandra(hashes, rate);
      case "stream-lib" -> streamLib(hashes, rate);
      case "commons" -> commons(hashes, rate);
      case "fastutil" -> fastutil(hashes);
      case "hashset" -> hashSet(hashes);
      default -> ours(kind(name), hashes, rate)::mightContain;
    };
  }

  /** The kind with this word. */
  static FilterKind kind(String word) {
    return Arrays.stream(FilterKind.values())
        .filter(kind -> kind.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no filter has the name " + word));
  }

  /** A filter of ours. */
  static MembershipFilter ours(FilterKind kind, long[] hashes, double rate) {
    try {
      return FilterKinds.build(kind, new FilterRequest(hashes.length, rate), source(hashes));
    } catch (FilterBuildException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An array as a build asks for it. */
  static HashSource source(long[] hashes) {
    return consumer -> {
      for (long hash : hashes) {
        consumer.accept(hash);
      }
    };
  }

  /** Bits a key of a Bloom filter of that rate, rounded up as whole bits are asked for. */
  private static int wholeBits(double rate) {
    return (int) Math.ceil(-Math.log(rate) / (Math.log(2) * Math.log(2)));
  }

  private static HashPeer fastfilter(FilterType type, long[] hashes, double rate) {
    Filter filter = type.construct(hashes, wholeBits(rate));
    return filter::mayContain;
  }

  private static HashPeer guava(long[] hashes, double rate) {
    BloomFilter<Long> filter = BloomFilter.create(Funnels.longFunnel(), hashes.length, rate);
    for (long hash : hashes) {
      filter.put(hash);
    }
    return filter::mightContain;
  }

  private static HashPeer streamLib(long[] hashes, double rate) {
    var filter = new com.clearspring.analytics.stream.membership.BloomFilter(hashes.length, rate);
    for (long hash : hashes) {
      filter.add(octets(hash));
    }
    return hash -> filter.isPresent(octets(hash));
  }

  private static byte[] octets(long hash) {
    byte[] octets = new byte[Long.BYTES];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) (hash >>> (Byte.SIZE * i));
    }
    return octets;
  }

  private static HashPeer commons(long[] hashes, double rate) {
    SimpleBloomFilter filter = new SimpleBloomFilter(Shape.fromNP(hashes.length, rate));
    for (long hash : hashes) {
      filter.merge(new EnhancedDoubleHasher(hash, Keys.mix(hash)));
    }
    return hash -> filter.contains(new EnhancedDoubleHasher(hash, Keys.mix(hash)));
  }

  private static HashPeer fastutil(long[] hashes) {
    LongOpenHashSet set = new LongOpenHashSet(hashes.length);
    for (long hash : hashes) {
      set.add(hash);
    }
    return set::contains;
  }

  private static HashPeer hashSet(long[] hashes) {
    Set<Long> set = HashSet.newHashSet(hashes.length);
    for (long hash : hashes) {
      set.add(hash);
    }
    return set::contains;
  }

  /** Keeps its bits outside the heap. */
  private static final class Cassandra implements HashPeer {
    private final IFilter filter;

    Cassandra(long[] hashes, double rate) {
      filter = org.apache.cassandra.utils.FilterFactory.getFilter((long) hashes.length, rate);
      for (long hash : hashes) {
        filter.add(new Key(hash));
      }
    }

    @Override
    public boolean contains(long hash) {
      return filter.isPresent(new Key(hash));
    }

    @Override
    public long octetsOffHeap() {
      return filter.offHeapSize();
    }

    private record Key(long hash) implements IFilter.FilterKey {
      @Override
      public void filterHash(long[] halves) {
        halves[0] = hash;
        halves[1] = Keys.mix(hash);
      }
    }
  }
}
