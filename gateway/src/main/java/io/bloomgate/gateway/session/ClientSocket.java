package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An accepted connection, whose input keeps a deadline also below TLS. Its peer has a name already,
 * its literal address: the library asks for the peer's host name when its debug log is on, and no
 * session may wait for DNS. Made by {@link SubethaListener}; read by one session's thread.
 */
class ClientSocket extends Socket {

  private final LongSupplier nanoTime;
  private @Nullable TimedInput input;

  /** Not connected yet. */
  ClientSocket(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  @Override
  public TimedInput getInputStream() throws IOException {
    TimedInput only = input;
    if (only == null) {
      only = new TimedInput(this, super.getInputStream(), nanoTime);
      input = only;
    }
    return only;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    InetAddress address = getInetAddress();
    try {
      return new InetSocketAddress(
          InetAddress.getByAddress(address.getHostAddress(), address.getAddress()), getPort());
    } catch (IOException e) {
      return super.getRemoteSocketAddress();
    }
  }
}
