package io.bloomgate.config.name;

/**
 * Decides which client addresses count as one client: for limits on sessions, connections and log
 * records, and for the statistics of known senders. Pure; asked on any thread.
 */
public final class ClientNetwork {

  /** One holder usually has at least this network. */
  private static final int V4_BITS = 24;

  /** One site gets this network. */
  private static final int SITE_V6_BITS = 48;

  /**
   * A customer who rents servers easily gets several /48 side by side. A limit on this network also
   * limits each /48 in it.
   */
  private static final int LIMITED_V6_BITS = 44;

  /** Large providers try a message again from another address of a pool of about this width. */
  private static final int WIDE_V4_BITS = 16;

  /** A provider gets this network from its registry. */
  private static final int WIDE_V6_BITS = 32;

  private ClientNetwork() {}

  /** The network that limits count by, as its first address: the /24 of IPv4, the /44 of IPv6. */
  public static IpAddress of(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? V4_BITS : LIMITED_V6_BITS).network();
  }

  /**
   * The network from which a client may try a message again, as its first address: the /16 of IPv4,
   * the /32 of IPv6.
   */
  public static IpAddress wide(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? WIDE_V4_BITS : WIDE_V6_BITS).network();
  }

  /** The network that one holder usually has: the /24 of IPv4, the /48 of IPv6. */
  public static IpPrefix site(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? V4_BITS : SITE_V6_BITS);
  }

  /** {@link #site} as a number of at most 48 bits; IPv4 and IPv6 are numbered separately. */
  public static long siteNumber(IpAddress client) {
    return client.isV4()
        ? client.v4Bits() >>> (Integer.SIZE - V4_BITS)
        : client.high() >>> (Long.SIZE - SITE_V6_BITS);
  }

  /** One network's share of a limit: a quarter, and at least one. */
  public static int share(int all) {
    return Math.max(1, all / 4);
  }

  /** The same of a number of octets. */
  public static long share(long all) {
    return Math.max(1, all / 4);
  }
}
