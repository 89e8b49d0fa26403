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
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects networks and writes a {@link NetworkIndex}. Filled by the snapshot builder, feed after
 * feed, on one thread; empty after {@link #write}.
 *
 * <p>Memory: 12 octets an IPv4 host (8 of address and arrival, 4 of line), 20 another IPv4 network,
 * 28 an IPv6 entry, and 8 more for each of the latter two while they are sorted; hosts are sorted
 * in place, and where they are too few for a table they become networks (28 while moved). When that
 * reaches the bound, repeats are dropped; when too few are left, the build fails.
 */
public final class NetworkIndexBuilder {

  private static final int HOST_OCTETS = 12;
  private static final int V4_OCTETS = 28;
  private static final int V6_OCTETS = 36;

  /** Dropping repeats pays if it frees this part of the memory. */
  private static final int WORTHWHILE_PART = 8;

  private final EntryTally tally;
  private final long maxOctets;
  private final @Nullable HostLayout forced;
  private final Arrivals arrivals = new Arrivals();
  private final NetworkRows.Hosts hosts = new NetworkRows.Hosts();
  private final NetworkRows.Networks v4 = new NetworkRows.Networks(true);
  private final NetworkRows.Networks v6 = new NetworkRows.Networks(false);

  /** Entries that are taken before the memory is looked at again. */
  private int checkedAt;

  /** An empty builder that counts into {@code tally} and takes any number of entries. */
  public NetworkIndexBuilder(EntryTally tally) {
    this(tally, Long.MAX_VALUE);
  }

  /**
   * An empty builder that counts into {@code tally}.
   *
   * @param maxOctets heap that the entries may take
   */
  public NetworkIndexBuilder(EntryTally tally, long maxOctets) {
    this(tally, maxOctets, null);
  }

  /**
   * An empty builder.
   *
   * @param forced how to hold IPv4 hosts, instead of choosing by size
   */
  NetworkIndexBuilder(EntryTally tally, long maxOctets, @Nullable HostLayout forced) {
    this.tally = tally;
    this.maxOctets = maxOctets;
    this.forced = forced;
  }

  /**
   * Adds an entry.
   *
   * @param feed number of the feed, never lower than that of an earlier entry
   * @throws TooManyEntriesException when there is no room for it; the builder is of no use then
   */
  public void add(int feed, ListEntry.Network entry) throws TooManyEntriesException {
    if (arrivals.size() >= checkedAt) {
      makeRoom();
    }
    IpPrefix prefix = entry.prefix();
    int arrival = arrivals.add(feed, entry.line());
    long first = Words.first(prefix.network());
    if (!prefix.isV4()) {
      v6.add(first, prefix.network().low(), prefix.length(), arrival, entry.exception());
    } else if (prefix.length() == Integer.SIZE) {
      hosts.add(first, arrival, entry.exception());
    } else {
      v4.add(first, 0, prefix.length(), arrival, entry.exception());
    }
  }

  private void makeRoom() throws TooManyEntriesException {
    if (octets() + V6_OCTETS > maxOctets) {
      int entries = arrivals.size();
      dropRepeats();
      if (octets() > maxOctets - maxOctets / WORTHWHILE_PART) {
        throw new TooManyEntriesException(entries);
      }
    }
    long more = Math.max(1, (maxOctets - octets()) / V6_OCTETS);
    checkedAt = (int) Math.min(Integer.MAX_VALUE, arrivals.size() + more);
  }

  private long octets() {
    return (long) HOST_OCTETS * hosts.size()
        + (long) V4_OCTETS * v4.size()
        + (long) V6_OCTETS * v6.size();
  }

  /** Drops entries that a feed has already, and forgets that they arrived. */
  private void dropRepeats() {
    BitSet kept = new BitSet(arrivals.size());
    for (NetworkRows rows : List.of(hosts, v4, v6)) {
      rows.sort();
      dropDuplicates(rows, (feed, exception) -> {});
      for (int row = 0; row < rows.size(); row++) {
        kept.set(rows.arrival(row));
      }
    }
    Arrivals.Ranks ranks = new Arrivals.Ranks(kept);
    for (NetworkRows rows : List.of(hosts, v4, v6)) {
      for (int row = 0; row < rows.size(); row++) {
        rows.renumber(row, ranks.below(rows.arrival(row)));
      }
    }
    arrivals.keep(ranks);
  }

  /**
   * Writes the index.
   *
   * @return digest of the file
   * @throws IOException when it cannot be written
   */
  public String write(Path target, Keying keying) throws IOException {
    HostLayout chosen = arrange();
    long rows = (long) hosts.size() + v4.size() + v6.size();
    try (PagedFileWriter out = PagedFileWriter.create(target)) {
      NetworkLayout layout = writeBody(out, chosen);
      return out.commit(
          new FileHeader(FileKind.NETWORK_INDEX, keying, rows, rows, 0, 0, layout.measures()));
    } finally {
      List.of(hosts, v4, v6).forEach(r -> r.truncate(0));
      arrivals.clear();
      checkedAt = 0;
    }
  }

  /** Sorts, chooses how to hold the hosts and drops duplicates. */
  private HostLayout arrange() throws IOException {
    hosts.sort();
    HostLayout chosen = forced != null ? forced : smallerLayout();
    if (chosen == HostLayout.RANGES) {
      hosts.moveTo(v4);
    }
    v4.sort();
    v6.sort();
    dropDuplicates(hosts, counting(EntryTally.Kind.IPV4));
    dropDuplicates(v4, counting(EntryTally.Kind.IPV4));
    dropDuplicates(v6, counting(EntryTally.Kind.IPV6));
    return chosen;
  }

  private HostLayout smallerLayout() throws IOException {
    long[] distinct = new long[1];
    hosts.forEachNetwork((from, to) -> distinct[0]++);
    return HostLayout.smallerFor(distinct[0], HostTable.Writer.octets(hosts));
  }

  private NetworkLayout writeBody(PagedFileWriter out, HostLayout chosen) throws IOException {
    List<NetworkRows> all = List.of(hosts, v4, v6);
    long postings = 0;
    for (NetworkRows rows : all) {
      postings += EntryCode.Writer.postings(rows);
    }
    EntryCode code = EntryCode.of(arrivals.maxLine(), arrivals.feeds(), postings);
    EntryCode.Writer entries = new EntryCode.Writer(out, arrivals, code);
    NetworkLayout.Hosts table =
        switch (chosen) {
          case RANGES -> NetworkLayout.Hosts.NONE;
          case TABLE -> new HostTable.Writer(out, hosts, v4).write(entries, arrivals);
        };
    NetworkLayout.Tree treeV4 = new NetworkTree.Writer(out, arrivals, v4, true).write(entries);
    NetworkLayout.Tree treeV6 = new NetworkTree.Writer(out, arrivals, v6, false).write(entries);
    return new NetworkLayout(
        chosen,
        lengths(hosts, v4),
        lengths(v6),
        code,
        new NetworkLayout.Part(entries.postings(all), postings),
        table,
        treeV4,
        treeV6,
        writeWide(out, v4, true),
        writeWide(out, v6, false));
  }

  /** Receives each row that is kept. */
  @FunctionalInterface
  private interface Kept {
    void row(int feed, boolean exception);
  }

  private Kept counting(EntryTally.Kind listing) {
    return (feed, exception) -> tally.add(feed, exception ? EntryTally.Kind.EXCEPTION : listing);
  }

  private void dropDuplicates(NetworkRows rows, Kept keeping) {
    int kept = 0;
    int lastFeed = -1;
    boolean listed = false;
    boolean excepted = false;
    for (int row = 0; row < rows.size(); row++) {
      int feed = arrivals.feed(rows.arrival(row));
      if (kept == 0 || feed != lastFeed || !rows.same(row, kept - 1)) {
        listed = false;
        excepted = false;
      }
      lastFeed = feed;
      boolean exception = rows.exception(row);
      if (exception ? excepted : listed) {
        tally.add(feed, EntryTally.Kind.DUPLICATE);
        continue;
      }
      excepted |= exception;
      listed |= !exception;
      keeping.row(feed, exception);
      rows.move(row, kept++);
    }
    rows.truncate(kept);
  }

  /** The prefix lengths that listings have. */
  private static BitSet lengths(NetworkRows... all) {
    BitSet lengths = new BitSet();
    for (NetworkRows rows : all) {
      for (int row = 0; row < rows.size(); row++) {
        if (!rows.exception(row)) {
          lengths.set(rows.length(row));
        }
      }
    }
    return lengths;
  }

  /** Writes what listings wider than the filter's pivots cover. */
  private static NetworkLayout.Part writeWide(PagedFileWriter out, NetworkRows rows, boolean isV4)
      throws IOException {
    Longs wide = new Longs();
    for (int row = 0; row < rows.size(); row++) {
      if (FilterHashes.pivot(isV4, rows.length(row)) == FilterHashes.NO_PIVOT
          && !rows.exception(row)) {
        wide.add(WideRanges.packed(rows.first(row), rows.length(row)));
      }
    }
    WideRanges ranges = WideRanges.merge(wide);
    out.align(Long.BYTES);
    long at = out.position();
    for (int i = 0; i < ranges.count(); i++) {
      out.putLong(ranges.start(i));
      out.putLong(ranges.end(i));
    }
    return new NetworkLayout.Part(at, ranges.count());
  }
}
