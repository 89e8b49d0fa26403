package io.bloomgate.gateway;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.name.IpAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Addresses that this machine has at its interfaces: no feed may list them. Asked at start and at
 * each reload. Loopback and link-local addresses are left out, as feeds never list these anyway.
 */
final class OwnAddresses {

  private static final Logger LOG = LoggerFactory.getLogger(OwnAddresses.class);

  private OwnAddresses() {}

  /** The addresses as they are now; none when the system does not tell. */
  static List<IpAddress> now() {
    try {
      return NetworkInterface.networkInterfaces()
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
          .map(IpAddress::of)
          .distinct()
          .toList();
    } catch (SocketException e) {
      LOG.warn("the addresses of this machine are not known: {}", Faults.words(e));
      return List.of();
    }
  }
}
