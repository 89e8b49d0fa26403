package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * The client: the socket's peer, or what PROXY and then XCLIENT put in its place (rules of decision
 * in gateway/README.md; client address). Used by one session's thread.
 *
 * @param known false when a trusted proxy gave no address; no mail is taken then
 * @param port 0 when unknown
 */
record ClientConnection(boolean known, IpAddress address, int port, Destination destination) {

  /** The other end of the socket. */
  static ClientConnection peerOf(Socket socket) {
    return new ClientConnection(
        true,
        IpAddress.of(socket.getInetAddress()),
        socket.getPort(),
        new Destination.OurEnd(socket));
  }

  /** The end of a connection to which a client connected. */
  sealed interface Destination {

    IpAddress address();

    int port();

    /** A destination as a proxy or XCLIENT reported it. */
    record Reported(IpAddress address, int port) implements Destination {}

    /**
     * Our end of its connection. The system is asked only when the address is needed: most sessions
     * end before.
     */
    final class OurEnd implements Destination {
      private final Socket socket;
      private @Nullable IpAddress address;

      private OurEnd(Socket socket) {
        this.socket = socket;
      }

      @Override
      public IpAddress address() {
        IpAddress known = address;
        if (known == null) {
          known = IpAddress.of(socket.getLocalAddress());
          address = known;
        }
        return known;
      }

      @Override
      public int port() {
        return socket.getLocalPort();
      }
    }
  }
}
