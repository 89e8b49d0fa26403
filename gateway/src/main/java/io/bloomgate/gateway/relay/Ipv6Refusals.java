package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether a server takes clients with IPv6 addresses at all: one without IPv6 refuses what names
 * such a client, and every sender with IPv6 hears 451 for ever while those with IPv4 are served.
 * Used by {@link MailServerHealth} on session threads; thread-safe.
 */
final class Ipv6Refusals {

  /** Once it took one, so many networks in a row must be refused before it is the server. */
  static final int NETWORKS = 3;

  private final Set<IpAddress> networks = new HashSet<>();
  private volatile boolean any;
  private boolean everServed;
  private String newest = "";

  /** Such a client was refused while the connection was opened. */
  synchronized void refused(IpAddress client, String reason) {
    if (!client.isV4()) {
      any = true;
      newest = reason;
      if (networks.size() < NETWORKS) {
        networks.add(ClientNetwork.of(client));
      }
    }
  }

  /** A client was taken. */
  void served(IpAddress client) {
    if (!client.isV4()) {
      forget();
    }
  }

  private synchronized void forget() {
    everServed = true;
    if (any) {
      networks.clear();
      newest = "";
      any = false;
    }
  }

  /** What is wrong; empty when nothing is. */
  String problem() {
    return any ? text() : "";
  }

  private synchronized String text() {
    boolean server = networks.size() >= (everServed ? NETWORKS : 1);
    return server ? newest : "";
  }
}
