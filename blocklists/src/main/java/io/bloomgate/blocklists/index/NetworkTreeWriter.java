package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;

/**
 * Writes a {@link NetworkTree} out of sorted rows without duplicates. Used by {@link
 * NetworkIndexBuilder}; one thread.
 */
final class NetworkTreeWriter {

  /** Networks for one directory slot: a cache line of IPv4 keys holds four times as many. */
  private static final int NETWORKS_PER_SLOT_BITS = 2;

  private static final int MAX_DIRECTORY_BITS = 20;

  private final PagedFileWriter out;
  private final Arrivals arrivals;
  private final NetworkRows rows;
  private final boolean v4;

  NetworkTreeWriter(PagedFileWriter out, Arrivals arrivals, NetworkRows rows, boolean isV4) {
    this.out = out;
    this.arrivals = arrivals;
    this.rows = rows;
    this.v4 = isV4;
  }

  NetworkLayout.Tree write(EntryWriter entries) throws IOException {
    int count = networks();
    long origin = count == 0 ? 0 : rows.first(0);
    long span = count == 0 ? 0 : rows.first(rows.size() - 1) - origin;
    int bits = Math.clamp(Words.bitsFor(count) - NETWORKS_PER_SLOT_BITS, 1, MAX_DIRECTORY_BITS);
    int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(span) - bits);
    long slots = (span >>> shift) + 1;
    out.align(Long.BYTES);
    long directory = directory(origin, shift, slots, count);
    long keys = keys();
    long lengths = lengths();
    long parents = parents();
    long values = entries.values(rows);
    return new NetworkLayout.Tree(
        count, origin, shift, slots, directory, keys, lengths, parents, values);
  }

  private int networks() throws IOException {
    int[] count = new int[1];
    rows.forEachNetwork((from, to) -> count[0]++);
    return count[0];
  }

  /** Writes for each slot the first network that is not below it, and the end. */
  private long directory(long origin, int shift, long slots, int count) throws IOException {
    long at = out.position();
    int[] node = new int[1];
    long[] written = new long[1];
    rows.forEachNetwork((from, to) -> {
      for (long slot = (rows.first(from) - origin) >>> shift; written[0] <= slot; written[0]++) {
        out.putInt(node[0]);
      }
      node[0]++;
    });
    for (long slot = written[0]; slot <= slots; slot++) {
      out.putInt(count);
    }
    return at;
  }

  private long keys() throws IOException {
    out.align(2 * Long.BYTES);
    long at = out.position();
    rows.forEachNetwork((from, to) -> {
      if (v4) {
        out.putInt((int) (rows.first(from) >>> Integer.SIZE));
      } else {
        out.putLong(rows.first(from));
        out.putLong(rows.second(from));
      }
    });
    return at;
  }

  private long lengths() throws IOException {
    long at = out.position();
    rows.forEachNetwork((from, to) -> out.putByte(rows.length(from)));
    return at;
  }

  private long parents() throws IOException {
    out.align(Integer.BYTES);
    long at = out.position();
    OpenNetworks open = new OpenNetworks(rows, arrivals);
    while (open.hasNext()) {
      int parent = open.openNext();
      out.putInt(NetworkTree.parentWord(parent, open.standing()));
    }
    return at;
  }
}
