package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;

/**
 * The network that a client is counted by: /24 of IPv4, /48 of IPv6, what one holder usually has.
 * Pure.
 */
public final class ClientNetwork {

  /** Prefix length that IPv4 clients are counted by. */
  public static final int V4_BITS = 24;

  /** Prefix length that IPv6 clients are counted by. */
  public static final int V6_BITS = 48;

  private ClientNetwork() {}

  /** The network around a client. */
  public static IpPrefix of(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? V4_BITS : V6_BITS);
  }

  /** The network as a number of at most 48 bits; IPv4 and IPv6 are numbered apart. */
  static long number(IpAddress client) {
    return client.isV4()
        ? client.v4Bits() >>> (Integer.SIZE - V4_BITS)
        : client.high() >>> (Long.SIZE - V6_BITS);
  }
}
