package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.config.name.DomainName;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.cassandra.utils.FilterFactory;
import org.apache.cassandra.utils.IFilter;
import org.apache.cassandra.utils.MurmurHash;

/**
 * Sets of names that are asked with the octets of a name: the hash, and the string where one is
 * needed, are part of what is measured.
 */
final class NamePeers {

  private static final Hasher64 XXH3 = Hashing.xxh3_64(42);

  private NamePeers() {}

  /** The filter of ours and the hash in front of it. */
  record Ours(KeyHash hash, MembershipFilter filter) {

    /** The names 0 to {@code count - 1}, in the kind that the gateway serves from. */
    static Ours build(int count, double rate) {
      KeyHash hash = new KeyHash(0x0123456789abcdefL, 0x1032547698badcfeL);
      long[] hashes = new long[count];
      for (int i = 0; i < count; i++) {
        hashes[i] = hash.domain(parse(Keys.name(i)), 0);
      }
      return new Ours(hash, HashPeers.ours(HashPeers.kind("split-block"), hashes, rate));
    }

    int probe(DomainName name) {
      return filter.probe(hash.domain(name, 0));
    }
  }

  /** A name that is known to be well-formed. */
  static DomainName parse(byte[] octets) {
    return DomainName.parse(octets, 0, octets.length).toOptional().orElseThrow();
  }

  /** A set of the names 0 to {@code count - 1}. */
  static Predicate<byte[]> build(String name, int count, double rate) {
    return switch (name) {
      case "guava" -> guava(count, rate);
      case "cassandra" -> cassandra(count, rate);
      case "hashset" -> hashSet(count);
      case "ours-parsed" -> parsed(count, rate);
      default -> hashed(name, count, rate);
    };
  }

  private static Predicate<byte[]> guava(int count, double rate) {
    BloomFilter<byte[]> filter = BloomFilter.create(Funnels.byteArrayFunnel(), count, rate);
    for (int i = 0; i < count; i++) {
      filter.put(Keys.name(i));
    }
    return filter::mightContain;
  }

  private static Predicate<byte[]> cassandra(int count, double rate) {
    IFilter filter = FilterFactory.getFilter((long) count, rate);
    for (int i = 0; i < count; i++) {
      filter.add(new Key(Keys.name(i)));
    }
    return name -> filter.isPresent(new Key(name));
  }

  private static Predicate<byte[]> hashSet(int count) {
    Set<String> set = HashSet.newHashSet(count);
    for (int i = 0; i < count; i++) {
      set.add(new String(Keys.name(i), ISO_8859_1));
    }
    return name -> set.contains(new String(name, ISO_8859_1));
  }

  /** Ours with the parsing of the octets, which a session does once for several uses of a name. */
  private static Predicate<byte[]> parsed(int count, double rate) {
    Ours ours = Ours.build(count, rate);
    return name -> ours.probe(parse(name)) != 0;
  }

  /** A set of hashes behind the fastest good hash of hash4j. */
  private static Predicate<byte[]> hashed(String name, int count, double rate) {
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      hashes[i] = XXH3.hashBytesToLong(Keys.name(i));
    }
    HashPeer peer = HashPeers.build(name, hashes, rate);
    return octets -> peer.contains(XXH3.hashBytesToLong(octets));
  }

  private static final class Key implements IFilter.FilterKey {
    private final byte[] name;

    Key(byte[] name) {
      this.name = name;
    }

    @Override
    public void filterHash(long[] halves) {
      MurmurHash.hash3_x64_128(ByteBuffer.wrap(name), 0, name.length, 0, halves);
    }
  }
}
