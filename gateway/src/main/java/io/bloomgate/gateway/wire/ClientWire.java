package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.wire.tls.TlsSocket;
import java.io.IOException;
import java.io.InputStream;
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

  /** The time that more input is awaited before the close, each time. */
  private static final Duration LINGER = Duration.ofMillis(300);

  private static final int LINGER_OCTETS = 64 * 1024;

  /** The time for a closing alert of TLS. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

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

    /** The limit that was exceeded. */
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

  /** The same connection under TLS; what the plain reader still held is dropped. */
  public ClientWire under(TlsSocket tls) {
    WireWriter over = writer.onto(tls.getOutputStream());
    WireReader decrypted = new WireReader(plain, tls.getInputStream(), over);
    return new ClientWire(tls, plain, decrypted, over, true);
  }

  /**
   * Lets the last reply arrive. When a socket is closed that holds unread input, the kernel sends
   * RST, which can overtake the reply; so input is read and dropped for a moment when there is any.
   */
  public void linger() throws IOException {
    // A drain has shut the input down: then there is nothing to be read.
    if (encrypted || (reader.buffered() == 0 && !plain.octetsPending())) {
      return;
    }
    plain.shutdownOutput();
    InputStream in = plain.getInputStream();
    byte[] scratch = new byte[4096];
    int total = 0;
    int octets = 0;
    // One deadline for all that comes: octets that trickle would keep the socket for as long as
    // they do.
    plain.begin(LINGER);
    while (octets >= 0 && total < LINGER_OCTETS) {
      total += octets;
      octets = in.read(scratch, 0, scratch.length);
    }
  }

  /** Closes the connection; under TLS with a closing alert, RFC 8446 section 6.1. */
  public void close() throws IOException {
    plain.begin(CLOSE_LIMIT);
    socket.close();
  }

  /** Gives back what TLS holds outside Java's heap, however the session ended. */
  public void abandon() {
    if (socket instanceof TlsSocket tls) {
      tls.abandon();
    }
  }
}
