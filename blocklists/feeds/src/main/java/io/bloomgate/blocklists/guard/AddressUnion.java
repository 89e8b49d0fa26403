package io.bloomgate.blocklists.guard;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.bloomgate.blocklists.format.FeedSink.TooManyEntriesException;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The union of networks: the exceptions of a list, collected while it is read and asked while it is
 * read again, or what is protected. One thread while it is collected; then immutable.
 */
final class AddressUnion {

  /** A network needs up to 256 octets while the union is made, any other entry 8. */
  private static final int ENTRIES_PER_NETWORK = 32;

  private final EntryLimit limit;
  private final List<IpPrefix> networks = new ArrayList<>();

  /** Apart, for a network of IPv6 around all mapped addresses says nothing of IPv4. */
  private ImmutableRangeSet<IpAddress> ipv4 = ImmutableRangeSet.of();

  private ImmutableRangeSet<IpAddress> ipv6 = ImmutableRangeSet.of();

  AddressUnion(EntryLimit limit) {
    this.limit = limit;
  }

  /**
   * Adds a network.
   *
   * @throws TooManyEntriesException when there are too many
   */
  void add(IpPrefix network) {
    limit.keep(ENTRIES_PER_NETWORK);
    networks.add(network);
  }

  /** Ends the adding; only then the set may be asked. */
  void close() {
    ipv4 = union(networks.stream().filter(IpPrefix::isV4));
    ipv6 = union(networks.stream().filter(network -> !network.isV4()));
    networks.clear();
  }

  private static ImmutableRangeSet<IpAddress> union(Stream<IpPrefix> networks) {
    return ImmutableRangeSet.unionOf(
        networks.map(network -> span(network.network(), network.last())).toList());
  }

  /** A span whose end is left out, so that spans that adjoin are one. */
  private static Range<IpAddress> span(IpAddress first, IpAddress last) {
    IpAddress end = last.next();
    return end.compareTo(first) > 0 ? Range.closedOpen(first, end) : Range.atLeast(first);
  }

  /** True when the whole span lies inside; asked after {@link #close}. */
  boolean holds(IpAddress first, IpAddress last) {
    return (first.isV4() ? ipv4 : ipv6).encloses(span(first, last));
  }

  /** True when the span has an address in common with this set; asked after {@link #close}. */
  boolean touches(IpAddress first, IpAddress last) {
    return (first.isV4() ? ipv4 : ipv6).intersects(span(first, last));
  }
}
