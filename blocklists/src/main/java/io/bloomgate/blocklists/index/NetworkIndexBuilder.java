package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.FileKind;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.blocklists.key.ListEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects networks and writes a {@link NetworkIndex}. Filled by the snapshot builder, feed after
 * feed, on one thread; worthless after {@link #write}.
 *
 * <p>Memory: 12 octets an IPv4 entry (8 of network and arrival, 4 of line), 16 to 32 an IPv6 entry,
 * and half as much again while an array grows.
 */
public final class NetworkIndexBuilder {

  /** Rows for one directory slot: a few cache lines of networks. */
  private static final int ROWS_PER_SLOT_BITS = 3;

  private static final int MAX_DIRECTORY_BITS = 20;
  private static final int V4_PIVOT = 24;
  private static final int V6_PIVOT = 48;

  private final EntryTally tally;
  private final @Nullable NetworkRows[] v4 = new NetworkRows[33];
  private final @Nullable NetworkRows[] v6 = new NetworkRows[129];

  /** Line and exception mark by arrival. */
  private final IntList marks = new IntList();

  /** Number of arrivals before each feed. */
  private final IntList feedStarts = new IntList();

  /** An empty builder that counts into {@code tally}. */
  public NetworkIndexBuilder(EntryTally tally) {
    this.tally = tally;
  }

  /**
   * Adds an entry.
   *
   * @param feed number of the feed, never lower than that of an earlier entry
   */
  public void add(int feed, ListEntry.Network entry) {
    if (feed < feedStarts.size() - 1 || feed >= Words.MAX_FEEDS) {
      throw new IllegalArgumentException("feed number " + feed + " out of order");
    }
    while (feedStarts.size() <= feed) {
      feedStarts.add(marks.size());
    }
    IpPrefix prefix = entry.prefix();
    int arrival = marks.size();
    marks.add(NetworkColumn.mark(entry.line(), entry.exception()));
    rows(prefix.isV4(), prefix.length())
        .add(Words.first(prefix.network()), Words.second(prefix.network()), arrival);
  }

  private NetworkRows rows(boolean isV4, int length) {
    @Nullable NetworkRows[] family = isV4 ? v4 : v6;
    NetworkRows rows = family[length];
    if (rows == null) {
      rows =
          length <= Integer.SIZE
              ? new NetworkRows.Narrow()
              : new NetworkRows.Wide(length > Long.SIZE);
      family[length] = rows;
    }
    return rows;
  }

  /**
   * Writes the index.
   *
   * @return digest of the file
   * @throws IOException when it cannot be written
   */
  public String write(Path target, Keying keying) throws IOException {
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      List<ColumnLayout> columns = new ArrayList<>();
      WideRanges wideV4 = writeFamily(out, true, V4_PIVOT, columns);
      WideRanges wideV6 = writeFamily(out, false, V6_PIVOT, columns);
      long wideV4At = writeRanges(out, wideV4);
      long wideV6At = writeRanges(out, wideV6);
      out.align(Long.BYTES);
      long table = out.position();
      long rows = 0;
      for (ColumnLayout column : columns) {
        column.write(out);
        rows += column.rows();
      }
      List<Long> measures =
          List.of(
              table,
              (long) columns.size(),
              wideV4At,
              (long) wideV4.count(),
              wideV6At,
              (long) wideV6.count());
      return out.commit(new FileHeader(FileKind.NETWORK_INDEX, keying, rows, rows, 0, 0, measures));
    }
  }

  /** Writes the columns of a family from the longest prefixes to the shortest. */
  private WideRanges writeFamily(
      PagedFileWriter out, boolean isV4, int pivot, List<ColumnLayout> columns) throws IOException {
    @Nullable NetworkRows[] family = isV4 ? v4 : v6;
    LongList wide = new LongList();
    for (int length = family.length - 1; length >= 0; length--) {
      NetworkRows rows = family[length];
      if (rows == null) {
        continue;
      }
      rows.sort();
      dropDuplicates(rows, isV4);
      if (length < pivot) {
        addWide(rows, length, wide);
      }
      columns.add(writeColumn(out, rows, isV4, length));
      family[length] = null;
    }
    return WideRanges.merge(wide);
  }

  private void dropDuplicates(NetworkRows rows, boolean isV4) {
    int kept = 0;
    int lastFeed = -1;
    boolean listed = false;
    boolean excepted = false;
    for (int row = 0; row < rows.size(); row++) {
      int feed = feedOf(rows.arrival(row));
      if (kept == 0 || feed != lastFeed || !rows.same(row, kept - 1)) {
        listed = false;
        excepted = false;
      }
      lastFeed = feed;
      boolean exception = marks.get(rows.arrival(row)) < 0;
      if (exception ? excepted : listed) {
        tally.add(feed, EntryTally.Kind.DUPLICATE);
        continue;
      }
      excepted |= exception;
      listed |= !exception;
      tally.add(
          feed,
          exception
              ? EntryTally.Kind.EXCEPTION
              : isV4 ? EntryTally.Kind.IPV4 : EntryTally.Kind.IPV6);
      rows.move(row, kept++);
    }
    rows.truncate(kept);
  }

  private void addWide(NetworkRows rows, int length, LongList wide) {
    for (int row = 0; row < rows.size(); row++) {
      if (marks.get(rows.arrival(row)) >= 0) {
        wide.add(WideRanges.packed(rows.first(row), length));
      }
    }
  }

  private ColumnLayout writeColumn(PagedFileWriter out, NetworkRows rows, boolean isV4, int length)
      throws IOException {
    int count = rows.size();
    // IPv6 networks share their first bits, a directory over them would not tell them apart.
    int wanted = isV4 ? Words.bitsFor(count) - ROWS_PER_SLOT_BITS : 0;
    int bits = Math.clamp(wanted, 0, Math.min(length, MAX_DIRECTORY_BITS));
    long directory = writeDirectory(out, rows, bits);
    out.align(16);
    final long keys = out.position();
    for (int row = 0; row < count; row++) {
      if (length <= Integer.SIZE) {
        out.putInt((int) (rows.first(row) >>> 32));
      } else {
        out.putLong(rows.first(row));
        if (length > Long.SIZE) {
          out.putLong(rows.second(row));
        }
      }
    }
    final long lines = out.position();
    for (int row = 0; row < count; row++) {
      out.putInt(marks.get(rows.arrival(row)));
    }
    final long feeds = out.position();
    for (int row = 0; row < count; row++) {
      out.putShort(feedOf(rows.arrival(row)));
    }
    out.align(Long.BYTES);
    return new ColumnLayout(isV4, length, bits, count, directory, keys, lines, feeds);
  }

  /** For each value of the first bits the first row that is not below it, and the end. */
  private static long writeDirectory(PagedFileWriter out, NetworkRows rows, int bits)
      throws IOException {
    long at = out.position();
    if (bits == 0) {
      return at;
    }
    int row = 0;
    for (long slot = 0; slot <= 1L << bits; slot++) {
      while (row < rows.size() && rows.first(row) >>> (Long.SIZE - bits) < slot) {
        row++;
      }
      out.putInt(row);
    }
    return at;
  }

  private static long writeRanges(PagedFileWriter out, WideRanges ranges) throws IOException {
    long at = out.position();
    for (int i = 0; i < ranges.count(); i++) {
      out.putLong(ranges.start(i));
      out.putLong(ranges.end(i));
    }
    return at;
  }

  /** The feed whose arrivals include this one: the last that starts at or before it. */
  private int feedOf(int arrival) {
    int low = 0;
    int high = feedStarts.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (feedStarts.get(middle) <= arrival) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
