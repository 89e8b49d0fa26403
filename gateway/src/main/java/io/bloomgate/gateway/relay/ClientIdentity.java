package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.key.IpAddress;

/**
 * What the upstream is told about the client by XCLIENT, XFORWARD or the PROXY protocol. Immutable.
 *
 * @param port the client's, 0 when unknown
 * @param helo as the client gave it; empty before HELO
 * @param esmtp true after EHLO
 * @param destination where the client connected to
 */
public record ClientIdentity(
    IpAddress address,
    int port,
    String helo,
    boolean esmtp,
    IpAddress destination,
    int destinationPort) {}
