package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/**
 * Both directions of the connection to the client, plain or encrypted. Used by one session's
 * thread.
 *
 * @param socket the TLS socket under TLS
 * @param plain the socket as it was accepted, below TLS
 */
public record ClientWire(
    Socket socket, WatchedSocket plain, WireReader reader, WireWriter writer, boolean encrypted) {

  /**
   * The client closed or lost its connection; no reply can arrive any more. This ends sessions
   * every day and the message is enough, so it carries no stack.
   */
  public static final class ClientGone extends IOException {
    private static final long serialVersionUID = 1L;

    public ClientGone(String message) {
      super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this;
    }
  }

  /** The client let a deadline pass, or sent nothing useful; it gets 421 and the session ends. */
  public static final class ClientTimeout extends IOException {
    private static final long serialVersionUID = 1L;

    private final Limit limit;

    ClientTimeout(Limit limit) {
      super(limit.key());
      this.limit = limit;
    }

    /** Which limit it was. */
    public Limit limit() {
      return limit;
    }
  }

  /**
   * A connection as it was accepted.
   *
   * @param writeLimit how long the client may take for a write
   */
  public static ClientWire plain(WatchedSocket socket, Duration writeLimit) throws IOException {
    WireWriter writer = new WireWriter(socket, socket.getOutputStream(), writeLimit);
    WireReader reader = new WireReader(socket, socket.getInputStream(), writer);
    return new ClientWire(socket, socket, reader, writer, false);
  }

  /**
   * The same connection under TLS; what the plain reader still held is dropped.
   *
   * @param records that the plain socket counts already, since the handshake
   */
  public ClientWire under(Socket tls, TlsRecords records) throws IOException {
    WireWriter over = writer.onto(tls.getOutputStream());
    WireReader decrypted = new WireReader(plain, records.counted(tls.getInputStream()), over);
    return new ClientWire(tls, plain, decrypted, over, true);
  }
}
