package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers of entries inside a network and around it, by feed; exceptions are left out. Made by
 * {@link NetworkIndex#within} for {@code explain} and {@code allow add} of a network. Immutable.
 *
 * @param inside entries narrower than the network, by feed
 * @param around entries that are the network or hold it, by feed
 * @param first some of those inside, in order of their addresses
 */
public record RangeTally(Map<String, Long> inside, Map<String, Long> around, List<Listing> first) {

  /** Entries inside that are named. */
  public static final int MAX_NAMED = 5;

  /** Nothing is listed there. */
  public static final RangeTally NONE = new RangeTally(Map.of(), Map.of(), List.of());

  public RangeTally {
    inside = Collections.unmodifiableMap(new LinkedHashMap<>(inside));
    around = Collections.unmodifiableMap(new LinkedHashMap<>(around));
    first = List.copyOf(first);
  }

  /** Entries inside of all feeds. */
  public long insideAll() {
    return inside.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Entries around of all feeds. */
  public long aroundAll() {
    return around.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Counts the entries of one network after the other. One thread. */
  static final class Counter {
    private final List<String> feeds;
    private final long[] inside;
    private final long[] around;
    private final List<Listing> first = new ArrayList<>(MAX_NAMED);

    Counter(List<String> feeds) {
      this.feeds = feeds;
      this.inside = new long[feeds.size()];
      this.around = new long[feeds.size()];
    }

    void inside(IpPrefix prefix, int feed, int line, boolean exception) {
      if (!exception) {
        inside[feed]++;
        // Hosts come before other networks.
        if (first.size() < MAX_NAMED
            || prefix.network().compareTo(network(first.getLast()).network()) < 0) {
          first.add(new Listing(feeds.get(feed), new ListEntry.Network(prefix, false, line)));
          first.sort(
              Comparator.comparing((Listing one) -> network(one).network())
                  .thenComparingInt(one -> network(one).length()));
          first.subList(Math.min(MAX_NAMED, first.size()), first.size()).clear();
        }
      }
    }

    private static IpPrefix network(Listing listing) {
      return (IpPrefix) listing.entry().subject();
    }

    void around(int feed, boolean exception) {
      around[feed] += exception ? 0 : 1;
    }

    RangeTally done() {
      return new RangeTally(byFeed(inside), byFeed(around), first);
    }

    private Map<String, Long> byFeed(long[] counts) {
      Map<String, Long> named = new LinkedHashMap<>();
      for (int feed = 0; feed < counts.length; feed++) {
        if (counts[feed] > 0) {
          named.put(feeds.get(feed), counts[feed]);
        }
      }
      return named;
    }
  }
}
