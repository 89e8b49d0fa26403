package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;

/**
 * Who the client is: the socket's peer, or what PROXY and then XCLIENT put in its place (contract,
 * section 3, client address). Immutable.
 *
 * @param known false when a trusted proxy gave no address; no mail is taken then
 * @param port 0 when unknown
 */
record ClientConnection(boolean known, IpAddress address, int port, Destination destination) {}
