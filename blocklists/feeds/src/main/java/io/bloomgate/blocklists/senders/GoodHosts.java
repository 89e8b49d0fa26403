package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The hosts whose network had mail accepted on enough days, at one time: what a finished generation
 * is asked about before it goes live. Made by {@link KnownSenders#good}; immutable.
 */
public final class GoodHosts {

  /** No host is known. */
  static final GoodHosts NONE = new GoodHosts(new long[0], new long[0], 0);

  private final long[] v4;
  private final long[] v6;
  private final int networks;

  /** Sorted numbers of hosts, see {@link KnownSenders}. */
  GoodHosts(long[] v4, long[] v6, int networks) {
    this.v4 = v4;
    this.v6 = v6;
    this.networks = networks;
  }

  /** The number of client networks of these hosts. */
  public int networks() {
    return networks;
  }

  /** True when one of the hosts is in the network. */
  public boolean touches(IpPrefix network) {
    long[] hosts = network.isV4() ? v4 : v6;
    int at = Arrays.binarySearch(hosts, number(network.network()));
    at = at < 0 ? -at - 1 : at;
    return at < hosts.length && hosts[at] <= number(network.last());
  }

  /** Gives each host; of IPv6 the first address of its /64. */
  void forEach(Consumer<IpAddress> hosts) {
    for (long host : v4) {
      hosts.accept(address(true, host));
    }
    for (long host : v6) {
      hosts.accept(address(false, host));
    }
  }

  /** The number of a host, in the order of addresses: IPv4 itself, of IPv6 the /64 around it. */
  static long number(IpAddress host) {
    return host.isV4() ? Integer.toUnsignedLong(host.v4Bits()) : host.high() ^ Long.MIN_VALUE;
  }

  static IpAddress address(boolean isV4, long number) {
    return isV4 ? IpAddress.ofV4((int) number) : new IpAddress(number ^ Long.MIN_VALUE, 0);
  }
}
