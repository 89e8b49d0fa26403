package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Where a client connected to. Used by one session's thread. */
sealed interface Destination {

  IpAddress address();

  int port();

  /** As a proxy or XCLIENT told it. */
  record Told(IpAddress address, int port) implements Destination {}

  /**
   * Our end of its connection. The system is asked when somebody wants to know: most sessions end
   * before.
   */
  final class OurEnd implements Destination {
    private final Socket socket;
    private @Nullable IpAddress address;

    OurEnd(Socket socket) {
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
