package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.FileHeader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;

/**
 * The positions of the parts of a {@link NetworkIndex} in the body of its file, and its code. The
 * layout is in the measures of the header and so is proven by opening. Immutable.
 *
 * @param hostLayout how IPv4 hosts are held
 * @param lengthsV4 prefix lengths that IPv4 listings have
 * @param lengthsV6 prefix lengths that IPv6 listings have
 * @param hosts IPv4 hosts; without any unless {@code hostLayout} is a table
 * @param v4 IPv4 networks, hosts too unless {@code hostLayout} is a table
 * @param v6 IPv6 networks and hosts
 */
record NetworkLayout(
    HostLayout hostLayout,
    BitSet lengthsV4,
    BitSet lengthsV6,
    EntryCode code,
    Part postings,
    Hosts hosts,
    Tree v4,
    Tree v6,
    Part wideV4,
    Part wideV6) {

  /** Offset of a part that is not there. */
  static final long ABSENT = -1;

  /**
   * A run of equal items.
   *
   * @param at offset
   */
  record Part(long at, long count) {}

  /**
   * A {@link HostTable}.
   *
   * @param table offset of a u64 for each /20
   * @param groups offset of the groups of hosts
   * @param values offset of the values of the hosts
   * @param voids offset of a bit for each host: no listing counts there; or {@link #ABSENT}
   */
  record Hosts(long count, long table, long groups, long values, long voids) {

    static final Hosts NONE = new Hosts(0, ABSENT, ABSENT, ABSENT, ABSENT);

    private static Hosts read(Iterator<Long> in) {
      return new Hosts(in.next(), in.next(), in.next(), in.next(), in.next());
    }

    private List<Long> measures() {
      return List.of(count, table, groups, values, voids);
    }
  }

  /**
   * A {@link NetworkTree}.
   *
   * @param origin first 64 bits of the first network
   * @param shift bits of the distance to {@code origin} that do not number its directory slot
   * @param directory offset of the directory: u32 each, one more than slots
   * @param keys offset of the first addresses: u32 (IPv4) or two u64 (IPv6) each
   * @param lengths offset of the prefix lengths: an octet each
   * @param parents offset of the numbers of the networks around, with the verdict: u32 each
   * @param values offset of the values of the networks
   */
  record Tree(
      long count,
      long origin,
      int shift,
      long slots,
      long directory,
      long keys,
      long lengths,
      long parents,
      long values) {

    private static Tree read(Iterator<Long> in) {
      return new Tree(
          in.next(),
          in.next(),
          Math.toIntExact(in.next()),
          in.next(),
          in.next(),
          in.next(),
          in.next(),
          in.next(),
          in.next());
    }

    private List<Long> measures() {
      return List.of(count, origin, (long) shift, slots, directory, keys, lengths, parents, values);
    }
  }

  /** The layout as text in a header. */
  static NetworkLayout read(FileHeader header) throws IOException {
    Iterator<Long> in = header.measures().iterator();
    return new NetworkLayout(
        HostLayout.ofCode(in.next()),
        lengths(in.next()),
        lengths(in.next(), in.next(), in.next()),
        new EntryCode(
            Math.toIntExact(in.next()),
            Math.toIntExact(in.next()),
            Math.toIntExact(in.next()),
            Math.toIntExact(in.next())),
        part(in),
        Hosts.read(in),
        Tree.read(in),
        Tree.read(in),
        part(in),
        part(in));
  }

  private static BitSet lengths(long... words) {
    return BitSet.valueOf(words);
  }

  private static Part part(Iterator<Long> in) {
    return new Part(in.next(), in.next());
  }

  /** The measures for a header. */
  List<Long> measures() {
    List<Long> out = new ArrayList<>();
    out.add(hostLayout.code());
    addLengths(out, lengthsV4, 1);
    addLengths(out, lengthsV6, 3);
    out.add((long) code.lineBits());
    out.add((long) code.feedBits());
    out.add((long) code.valueOctets());
    out.add((long) code.postingOctets());
    out.addAll(List.of(postings.at(), postings.count()));
    out.addAll(hosts.measures());
    out.addAll(v4.measures());
    out.addAll(v6.measures());
    out.addAll(List.of(wideV4.at(), wideV4.count(), wideV6.at(), wideV6.count()));
    return out;
  }

  /** A bit for each length. */
  private static void addLengths(List<Long> out, BitSet lengths, int words) {
    long[] set = lengths.toLongArray();
    for (int i = 0; i < words; i++) {
      out.add(i < set.length ? set[i] : 0);
    }
  }
}
