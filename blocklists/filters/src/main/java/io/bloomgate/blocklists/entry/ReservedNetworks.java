package io.bloomgate.blocklists.entry;

import io.bloomgate.config.name.IpPrefix;
import java.util.List;
import java.util.stream.Stream;

/**
 * Networks that have no place in a public list (IANA special-purpose registries, RFC 6890).
 * Documentation and benchmark ranges are not among them: they harm nobody, and demonstrations use
 * them. Constants.
 */
public final class ReservedNetworks {

  /** RFC 1918, RFC 6598 (carrier-grade NAT), RFC 4193. */
  public static final List<IpPrefix> PRIVATE =
      networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7");

  /** RFC 1122 section 3.2.1.3, RFC 4291 section 2.5.3. */
  public static final List<IpPrefix> LOOPBACK = networks("127.0.0.0/8", "::1");

  /** All of the above, this network, link-local, multicast, future use and what IPv6 sets aside. */
  public static final List<IpPrefix> ALL =
      Stream.of(
              PRIVATE,
              LOOPBACK,
              networks("0.0.0.0/8", "169.254.0.0/16", "224.0.0.0/3"),
              networks("::/8", "fe80::/10", "ff00::/8"))
          .flatMap(List::stream)
          .toList();

  private ReservedNetworks() {}

  /** True when an entry for this network reaches into a reserved one. */
  public static boolean overlap(IpPrefix prefix) {
    return overlapsAny(ALL, prefix);
  }

  /** The same for some networks. */
  public static boolean overlapsAny(List<IpPrefix> networks, IpPrefix prefix) {
    for (int i = 0; i < networks.size(); i++) {
      if (networks.get(i).overlaps(prefix)) {
        return true;
      }
    }
    return false;
  }

  public static List<IpPrefix> networks(String... texts) {
    return Stream.of(texts).map(t -> IpPrefix.parse(t).toOptional().orElseThrow()).toList();
  }
}
