package io.bloomgate.gateway.wire;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.function.LongSupplier;

/**
 * Both directions of the connection to the client, plain or encrypted. Used by one session's
 * thread.
 *
 * @param socket the TLS socket under TLS
 * @param input what comes from the network, below TLS
 */
public record ClientWire(
    Socket socket, TimedInput input, WireReader reader, WireWriter writer, boolean encrypted) {

  /** A connection as it was accepted. */
  public static ClientWire plain(
      ClientSocket socket, StepGuard steps, LongSupplier nanoTime, long writeTimeoutNanos)
      throws IOException {
    TimedInput input = socket.getInputStream();
    WireWriter writer =
        new WireWriter(socket.getOutputStream(), steps, nanoTime, writeTimeoutNanos);
    return new ClientWire(socket, input, new WireReader(input, input, writer), writer, false);
  }

  /**
   * The same connection under TLS; whatever the plain reader still held is forgotten.
   *
   * @param records that the input counts already, since the handshake
   */
  public ClientWire under(Socket tls, TlsRecords records) throws IOException {
    WireWriter over = writer.onto(tls.getOutputStream());
    InputStream decrypted = records.counted(over.guarded(tls.getInputStream()));
    return new ClientWire(tls, input, new WireReader(input, decrypted, over), over, true);
  }
}
