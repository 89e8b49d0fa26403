package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader;

/**
 * The facts about the client that the mail server gets by XCLIENT, XFORWARD or the PROXY protocol.
 * Immutable.
 *
 * @param port the client's, 0 when unknown
 * @param helo as the client gave it; empty before HELO
 * @param esmtp true after EHLO
 * @param destination where the client connected to
 * @param name its reverse name, awaited only where the server learns it
 */
public record ClientIdentity(
    IpAddress address,
    int port,
    String helo,
    boolean esmtp,
    IpAddress destination,
    int destinationPort,
    ReverseName.Pending name) {

  /** One without a look-up of its name. */
  public ClientIdentity(
      IpAddress address,
      int port,
      String helo,
      boolean esmtp,
      IpAddress destination,
      int destinationPort) {
    this(address, port, helo, esmtp, destination, destinationPort, ReverseName.Pending.NONE);
  }

  /** Returns the connection as the PROXY protocol reports it. */
  public ProxyHeader.Proxied proxied() {
    return new ProxyHeader.Proxied(address, port, destination, destinationPort);
  }

  /** The same for a server that learns no names. */
  ClientIdentity unnamed() {
    return new ClientIdentity(address, port, helo, esmtp, destination, destinationPort);
  }
}
