package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import java.util.List;
import java.util.Locale;

/**
 * The networks to which a publisher's redirect must not lead: whatever is not the public Internet
 * (IANA special-purpose registries, RFC 6890), documentation networks apart, which lead nowhere.
 * Wider than {@link ReservedNetworks}, since a lost redirect costs less than a lost listing. Used
 * by {@link RedirectRules}. Pure.
 */
final class InsideNetworks {

  /**
   * RFC 6890 (protocol assignments), RFC 2544 (benchmarks), RFC 3879 (site-local), RFC 2928
   * (protocol assignments, Teredo among them), RFC 6666 (discard).
   */
  private static final List<IpPrefix> BESIDES =
      ReservedNetworks.networks(
          "192.0.0.0/24", "198.18.0.0/15", "fec0::/10", "2001::/23", "100::/64");

  /** RFC 6052: the IPv4 Internet as networks with NAT64 and DNS64 see it. */
  private static final IpPrefix NAT64 = ReservedNetworks.networks("64:ff9b::/96").getFirst();

  /** RFC 3056. */
  private static final IpPrefix SIX_TO_FOUR = ReservedNetworks.networks("2002::/16").getFirst();

  private static final int SIX_TO_FOUR_SHIFT = 16;

  private InsideNetworks() {}

  /** True for an address inside, also one that is wrapped into an address of the world. */
  static boolean contains(IpAddress address) {
    if (NAT64.contains(address)) {
      return contains(IpAddress.ofV4((int) address.low()));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return contains(IpAddress.ofV4((int) (address.high() >>> SIX_TO_FOUR_SHIFT)));
    }
    IpPrefix host = IpPrefix.host(address);
    return ReservedNetworks.overlap(host) || ReservedNetworks.overlapsAny(BESIDES, host);
  }

  /**
   * True for a name that only a network of one's own can know: a proxy may resolve what we cannot.
   *
   * @param host a name, or an address without brackets, of which this says nothing
   */
  static boolean isInsideName(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    boolean singleLabel = bare.indexOf('.') < 0 && bare.indexOf(':') < 0;
    return singleLabel || DomainName.isInside(bare);
  }
}
