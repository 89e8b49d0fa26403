package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.Longs;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.config.name.IpPrefix;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Collects networks and writes a {@link NetworkIndex}. Filled by the snapshot builder, feed after
 * feed, on one thread; of no use after {@link #write}.
 *
 * <p>Memory: 8 octets an IPv4 host, 24 another network and 8 more while it is sorted; hosts are
 * sorted in place. When that reaches the bound, the build fails.
 */
public final class NetworkIndexBuilder {

  private static final int HOST_OCTETS = Long.BYTES;
  private static final int NETWORK_OCTETS = 4 * Long.BYTES;

  private final EntryTally tally;
  private final long maxOctets;
  private final LineNumbers lines = new LineNumbers();

  /** The address in the upper half, the code of the entry in the lower. */
  private final Longs hosts = new Longs();

  private final Networks v4 = new Networks(true);
  private final Networks v6 = new Networks(false);

  /** Pivots of listings, as {@link NetworkIndex#hasPivot} reads them. */
  private long pivots;

  /**
   * An empty builder that counts into {@code tally}.
   *
   * @param maxOctets heap that the entries may take
   */
  public NetworkIndexBuilder(EntryTally tally, long maxOctets) {
    this.tally = tally;
    this.maxOctets = maxOctets;
  }

  /**
   * Adds an entry.
   *
   * @param feed number of the feed, never lower than that of an earlier entry
   * @throws TooManyEntriesException when there is no room for it
   * @throws IOException when the feeds have too many lines
   */
  public void add(int feed, ListEntry.Network entry) throws IOException {
    long networks = (long) v4.size() + v6.size();
    if ((hosts.size() + 1L) * HOST_OCTETS + (networks + 1) * NETWORK_OCTETS > maxOctets) {
      throw new TooManyEntriesException(hosts.size() + networks);
    }
    IpPrefix prefix = entry.prefix();
    int code = lines.number(feed, entry.line()) << 1 | (entry.exception() ? 1 : 0);
    if (prefix.isV4() && prefix.isHost()) {
      hosts.add((long) prefix.network().v4Bits() << Integer.SIZE | Integer.toUnsignedLong(code));
    } else {
      (prefix.isV4() ? v4 : v6).add(prefix, code);
    }
  }

  /**
   * Writes the index.
   *
   * @return digest of the file
   * @throws IOException when it cannot be written
   */
  public String write(Path target, Keying keying) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      long hostRows = writeHosts(out);
      long v4At = out.position();
      long v4Rows = v4.write(out);
      long v6At = out.position();
      long v6Rows = v6.write(out);
      long feedsAt = out.position();
      lines.write(out);
      out.align(Long.BYTES);
      long wideAt = out.position();
      long wideV4 = WideRanges.merge(v4.wide).write(out);
      long wideV6 = WideRanges.merge(v6.wide).write(out);
      long rows = hostRows + v4Rows + v6Rows;
      return out.commit(
          new FileHeader(
              FileKind.NETWORK_INDEX,
              keying,
              rows,
              rows,
              0,
              0,
              List.of(
                  pivots,
                  hostRows,
                  v4Rows,
                  v6Rows,
                  (long) lines.feeds(),
                  wideV4,
                  wideV6,
                  v4At,
                  v6At,
                  feedsAt,
                  wideAt)));
    } finally {
      hosts.truncate(0);
      v4.clear();
      v6.clear();
    }
  }

  private long writeHosts(PagedFileWriter out) throws IOException {
    hosts.sort();
    Kept kept = new Kept(EntryTally.Kind.IPV4);
    int rows = 0;
    for (int row = 0; row < hosts.size(); row++) {
      long host = hosts.get(row);
      if (kept.keeps(host & IpPrefix.leading(Integer.SIZE), 0, Integer.SIZE, (int) host)) {
        hosts.set(rows++, host);
      }
    }
    hosts.truncate(rows);
    HostRows.write(out, hosts);
    return rows;
  }

  /**
   * Tells which of the sorted rows are kept, and counts all: what a feed has already is a
   * duplicate, and the first line wins.
   */
  private final class Kept {
    private final EntryTally.Kind listing;
    private final boolean isV4;
    private long first;
    private long second;
    private int length = -1;
    private int feed;
    private boolean listed;
    private boolean excepted;

    Kept(EntryTally.Kind listing) {
      this.listing = listing;
      this.isV4 = listing == EntryTally.Kind.IPV4;
    }

    /** True when the network of the last row was this one. */
    boolean isOf(long rowFirst, long rowSecond, int rowLength) {
      return first == rowFirst && second == rowSecond && length == rowLength;
    }

    boolean keeps(long rowFirst, long rowSecond, int rowLength, int code) {
      int rowFeed = lines.feed(code >>> 1);
      if (!isOf(rowFirst, rowSecond, rowLength) || rowFeed != feed) {
        first = rowFirst;
        second = rowSecond;
        length = rowLength;
        feed = rowFeed;
        listed = false;
        excepted = false;
      }
      boolean exception = (code & 1) != 0;
      if (exception ? excepted : listed) {
        tally.add(feed, EntryTally.Kind.DUPLICATE);
        return false;
      }
      excepted |= exception;
      listed |= !exception;
      tally.add(feed, exception ? EntryTally.Kind.EXCEPTION : listing);
      int pivot = FilterHashes.pivot(isV4, length);
      pivots |= exception || pivot == FilterHashes.NO_PIVOT ? 0 : 1L << (pivot / Byte.SIZE);
      return true;
    }
  }

  /** The networks of one family, those that are IPv4 hosts apart: a row for each entry. */
  private final class Networks {

    /** Networks inside one another, at most: /0 to /128. */
    private static final int MAX_DEPTH = 129;

    private final boolean isV4;
    private final Longs firsts = new Longs();
    private final Longs seconds = new Longs();

    /** The length in the upper half, the code in the lower. */
    private final Longs details = new Longs();

    /** Listings that are in no filter, for {@link WideRanges#merge}. */
    private final Longs wide = new Longs();

    Networks(boolean isV4) {
      this.isV4 = isV4;
    }

    int size() {
      return details.size();
    }

    void add(IpPrefix prefix, int code) {
      firsts.add(prefix.network().first());
      seconds.add(prefix.network().second());
      details.add((long) prefix.length() << Integer.SIZE | Integer.toUnsignedLong(code));
    }

    void clear() {
      firsts.truncate(0);
      seconds.truncate(0);
      details.truncate(0);
    }

    private int compare(int left, int right) {
      int byFirst = Long.compareUnsigned(firsts.get(left), firsts.get(right));
      int bySecond =
          byFirst != 0 ? byFirst : Long.compareUnsigned(seconds.get(left), seconds.get(right));
      return bySecond != 0 ? bySecond : Long.compare(details.get(left), details.get(right));
    }

    /** Writes what a {@link NetworkTree} reads; gives the number of rows. */
    int write(PagedFileWriter out) throws IOException {
      Kept kept = new Kept(isV4 ? EntryTally.Kind.IPV4 : EntryTally.Kind.IPV6);
      // The networks around the current place, and the last row of each.
      int[] open = new int[MAX_DEPTH];
      int[] lasts = new int[MAX_DEPTH];
      int[] slotEnds = new int[SlotStarts.SLOTS];
      int depth = 0;
      int rows = 0;
      for (int at : IntOrder.sorted(size(), this::compare)) {
        long first = firsts.get(at);
        long second = seconds.get(at);
        int length = (int) (details.get(at) >>> Integer.SIZE);
        int code = (int) details.get(at);
        boolean same = kept.isOf(first, second, length);
        if (!kept.keeps(first, second, length, code)) {
          continue;
        }
        while (!same && depth > 0 && !contains(open[depth - 1], first, second)) {
          depth--;
        }
        depth -= same ? 1 : 0;
        int parent = depth == 0 ? 0 : lasts[depth - 1] + 1;
        open[depth] = at;
        lasts[depth++] = rows++;
        slotEnds[(int) (first >>> NetworkTree.SLOT_SHIFT)] = rows;
        writeRow(out, first, second, code, parent, length);
        if ((code & 1) == 0 && FilterHashes.pivot(isV4, length) == FilterHashes.NO_PIVOT) {
          wide.add(WideRanges.packed(first, length));
        }
      }
      if (rows > 0) {
        SlotStarts.write(out, slotEnds);
      }
      return rows;
    }

    private boolean contains(int at, long first, long second) {
      int length = (int) (details.get(at) >>> Integer.SIZE);
      return Words.contains(firsts.get(at), seconds.get(at), length, first, second);
    }

    private void writeRow(
        PagedFileWriter out, long first, long second, int code, int parent, int length)
        throws IOException {
      if (isV4) {
        out.putInt((int) (first >>> Integer.SIZE));
      } else {
        out.putLong(first);
        out.putLong(second);
      }
      out.putInt(code);
      out.putInt(parent);
      out.putByte(length);
    }
  }
}
