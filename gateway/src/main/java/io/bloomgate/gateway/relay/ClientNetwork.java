package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;

/**
 * Which clients count as one where something is shared out that one of them could use up: sessions
 * and connections to the mail server. Pure; asked on session threads.
 */
public final class ClientNetwork {

  /** What one owner usually holds at least. */
  private static final int V4_BITS = 24;

  /**
   * A site gets a /48, and who rents servers easily gets several of them side by side. A bound on
   * this range is one on each /48 in it too.
   */
  private static final int V6_BITS = 44;

  /** Large providers try a message again from another address of a pool about as wide as this. */
  private static final int WIDE_V4_BITS = 16;

  /** What a provider gets from its registry. */
  private static final int WIDE_V6_BITS = 32;

  private ClientNetwork() {}

  /** The network of a client, as its first address: the /24 of IPv4, the /44 of IPv6. */
  public static IpAddress of(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? V4_BITS : V6_BITS).network();
  }

  /**
   * The addresses from which a client may try a message again, as the first of them: the /16 of
   * IPv4, the /32 of IPv6.
   */
  public static IpAddress wide(IpAddress client) {
    return IpPrefix.around(client, client.isV4() ? WIDE_V4_BITS : WIDE_V6_BITS).network();
  }

  /** What one network may have of so many: a quarter, and one at least. */
  public static int share(int all) {
    return Math.max(1, all / 4);
  }
}
