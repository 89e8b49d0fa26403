package io.bloomgate.blocklists.guard;

import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The union of networks of one family: the exceptions of a list, collected while it is read and
 * asked while it is read again, or what is protected. One thread while it is collected; then
 * immutable.
 */
final class AddressUnion {

  /** A network takes 72 octets, any other entry 8. */
  private static final int ENTRIES_PER_NETWORK = 9;

  private static final int FIRST_SIZE = 1024;

  private static final Comparator<IpPrefix> WIDE_FIRST =
      Comparator.comparing(IpPrefix::network).thenComparingInt(IpPrefix::length);

  private record Span(IpAddress first, IpAddress last) {}

  private final EntryLimit limit;
  private List<IpPrefix> networks = new ArrayList<>();
  private int tidiedAt = FIRST_SIZE;
  private int counted;
  private List<Span> merged = List.of();

  AddressUnion(EntryLimit limit) {
    this.limit = limit;
  }

  /**
   * Adds a network.
   *
   * @throws TooManyEntriesException when there are too many
   */
  void add(IpPrefix network) {
    networks.add(network);
    if (networks.size() >= tidiedAt) {
      settle();
      tidiedAt = Math.max(FIRST_SIZE, 2 * networks.size());
    }
  }

  boolean isEmpty() {
    return networks.isEmpty();
  }

  /**
   * Drops repeats and what lies inside another, and counts the rest against the limit.
   *
   * @throws TooManyEntriesException when there are too many
   */
  void settle() {
    networks.sort(WIDE_FIRST);
    List<IpPrefix> kept = new ArrayList<>();
    for (IpPrefix network : networks) {
      if (kept.isEmpty() || !kept.getLast().contains(network.network())) {
        kept.add(network);
      }
    }
    networks = kept;
    limit.keep((long) ENTRIES_PER_NETWORK * (kept.size() - counted));
    counted = kept.size();
  }

  /** Ends the adding; only then the set may be asked. */
  void close() {
    settle();
    List<Span> spans = new ArrayList<>();
    for (IpPrefix network : networks) {
      boolean adjoins = !spans.isEmpty() && spans.getLast().last.next().equals(network.network());
      IpAddress first = adjoins ? spans.removeLast().first : network.network();
      spans.add(new Span(first, network.last()));
    }
    merged = List.copyOf(spans);
  }

  /** True when the whole span lies inside; asked after {@link #close}. */
  boolean holds(IpAddress first, IpAddress last) {
    int at = at(first);
    return at < merged.size()
        && merged.get(at).first.compareTo(first) <= 0
        && last.compareTo(merged.get(at).last) <= 0;
  }

  /** True when the span has an address in common with this set; asked after {@link #close}. */
  boolean touches(IpAddress first, IpAddress last) {
    int at = at(first);
    return at < merged.size() && merged.get(at).first.compareTo(last) <= 0;
  }

  /** The first part of this set that does not end before an address. */
  private int at(IpAddress first) {
    int low = 0;
    int high = merged.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (merged.get(middle).last.compareTo(first) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
