package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.Socket;
import java.util.function.LongSupplier;

/**
 * Both directions of the connection to the client, plain or encrypted. Used by one session's
 * thread.
 *
 * @param socket the TLS socket under TLS
 */
record Wire(Socket socket, WireReader reader, WireWriter writer, boolean encrypted) {

  /** A connection as it was accepted. */
  static Wire plain(
      Socket socket, SessionHandle handle, LongSupplier nanoTime, long writeTimeoutNanos)
      throws IOException {
    WireWriter writer =
        new WireWriter(socket.getOutputStream(), handle, nanoTime, writeTimeoutNanos);
    return new Wire(
        socket, new WireReader(socket, socket.getInputStream(), writer, nanoTime), writer, false);
  }

  /** The same connection under TLS; whatever the plain reader still held is forgotten. */
  Wire under(Socket tls, LongSupplier nanoTime) throws IOException {
    WireWriter over = writer.onto(tls.getOutputStream());
    return new Wire(tls, new WireReader(tls, tls.getInputStream(), over, nanoTime), over, true);
  }
}
