package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The hosts whose network had mail accepted on enough days, at one time: what a new version of a
 * feed is asked about before it goes live. Made by {@link KnownSenders#good}; immutable, asked for
 * every network of a version on the feed-refresher thread.
 */
public final class GoodHosts {

  /** No host is known. */
  public static final GoodHosts NONE = new GoodHosts(new long[0], new long[0], 0);

  /** Entries that other nodes of a fleet hold back, whatever hosts are known here. */
  private final Set<IpPrefix> named;

  private final long[] v4;
  private final long[] v6;
  private final int networks;

  /** Sorted numbers of hosts, see {@link KnownSenders}. */
  GoodHosts(long[] v4, long[] v6, int networks) {
    this(v4, v6, networks, Set.of());
  }

  private GoodHosts(long[] v4, long[] v6, int networks, Set<IpPrefix> named) {
    this.v4 = v4;
    this.v6 = v6;
    this.networks = networks;
    this.named = named;
  }

  /** The same hosts, and these entries. */
  public GoodHosts and(Set<IpPrefix> entries) {
    return entries.isEmpty() ? this : new GoodHosts(v4, v6, networks, Set.copyOf(entries));
  }

  /** True when no network can touch it. */
  public boolean isEmpty() {
    return networks == 0 && named.isEmpty();
  }

  /** The number of client networks of these hosts. */
  public int networks() {
    return networks;
  }

  /** True when the network lists one of the hosts, or is one of the entries. */
  public boolean touches(IpPrefix network) {
    if (named.contains(network)) {
      return true;
    }
    long[] hosts = network.isV4() ? v4 : v6;
    int at = from(hosts, number(network.network()));
    return at < hosts.length && hosts[at] <= number(network.last());
  }

  /**
   * The client networks, as {@link ClientNetwork#site} has them, of the hosts in a network.
   *
   * @param counts says which hosts count; of IPv6 it is asked for the first address of a /64
   * @param most the networks that are looked for
   */
  public List<IpPrefix> networksIn(IpPrefix network, Predicate<IpAddress> counts, int most) {
    long[] hosts = network.isV4() ? v4 : v6;
    long last = number(network.last());
    List<IpPrefix> found = new ArrayList<>();
    int at = from(hosts, number(network.network()));
    while (at < hosts.length && hosts[at] <= last && found.size() < most) {
      IpAddress host = address(network.isV4(), hosts[at]);
      IpPrefix around = ClientNetwork.site(host);
      at++;
      if (counts.test(host)) {
        found.add(around);
        long end = number(around.last());
        at = end == Long.MAX_VALUE ? hosts.length : from(hosts, end + 1);
      }
    }
    return found;
  }

  private static int from(long[] sorted, long number) {
    int at = Arrays.binarySearch(sorted, number);
    return at < 0 ? -at - 1 : at;
  }

  /** The number of a host, in the order of addresses: IPv4 itself, of IPv6 the /64 around it. */
  static long number(IpAddress host) {
    return host.isV4() ? Integer.toUnsignedLong(host.v4Bits()) : host.high() ^ Long.MIN_VALUE;
  }

  static IpAddress address(boolean isV4, long number) {
    return isV4 ? IpAddress.ofV4((int) number) : new IpAddress(number ^ Long.MIN_VALUE, 0);
  }
}
