package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import java.net.Socket;

/**
 * The client: the socket's peer, or what PROXY and then XCLIENT put in its place (rules of decision
 * in gateway/README.md; client address). Used by one session's thread.
 *
 * @param known false when a trusted proxy gave no address; no mail is taken then
 * @param port 0 when unknown
 * @param destination the end of the connection to which it connected
 */
record ClientConnection(
    boolean known, IpAddress address, int port, IpAddress destination, int destinationPort) {

  /** The other end of the socket. */
  static ClientConnection peerOf(Socket socket) {
    return new ClientConnection(
        true,
        IpAddress.of(socket.getInetAddress()),
        socket.getPort(),
        IpAddress.of(socket.getLocalAddress()),
        socket.getLocalPort());
  }

  /** The same, of which nobody knows whose it is. */
  ClientConnection unknown() {
    return new ClientConnection(false, address, port, destination, destinationPort);
  }
}
