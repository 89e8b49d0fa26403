package io.bloomgate.gateway.wire;

import io.bloomgate.gateway.log.Limit;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.wire.tls.TlsSocket;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;

/**
 * Both directions of the connection to the client, plain or encrypted. Used by one session's
 * thread.
 *
 * <p>Replies gather while commands of a pipelined group are still in the reader's buffer and leave
 * in one write before the session blocks for input (RFC 2920 section 3.2): small single writes cost
 * 40 ms each between Nagle and delayed ACK.
 */
public final class ClientWire {

  private static final int INITIAL_OCTETS = 256;
  private static final int KEPT_OCTETS = 512;
  private static final byte[] NOTHING = {};

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

  private final Socket socket;
  private final WatchedSocket plain;
  private final WireReader reader;
  private final OutputStream out;
  private final Duration writeLimit;
  private byte[] replies = NOTHING;
  private int length;

  /** Begins without a reply; the socket is the TLS socket under TLS. */
  private ClientWire(Socket socket, WatchedSocket plain, Duration writeLimit) throws IOException {
    this.socket = socket;
    this.plain = plain;
    this.out = socket.getOutputStream();
    this.writeLimit = writeLimit;
    this.reader = new WireReader(plain, socket.getInputStream(), this);
  }

  /**
   * A connection as it was accepted.
   *
   * @param writeLimit how long the client may take for a write before the watchdog closes the
   *     socket
   */
  public static ClientWire plain(WatchedSocket socket, Duration writeLimit) throws IOException {
    return new ClientWire(socket, socket, writeLimit);
  }

  /** The same connection under TLS; what the plain reader still held is dropped. */
  public ClientWire under(TlsSocket tls) throws IOException {
    if (length != 0) {
      throw new IllegalStateException("replies are waiting for the old stream");
    }
    return new ClientWire(tls, plain, writeLimit);
  }

  /** Returns the socket as it was accepted, below TLS. */
  public WatchedSocket plain() {
    return plain;
  }

  public WireReader reader() {
    return reader;
  }

  public boolean encrypted() {
    return socket instanceof TlsSocket;
  }

  /**
   * Lets the last reply arrive. When a socket is closed that holds unread input, the kernel sends
   * RST, which can overtake the reply; so input is read and dropped for a moment when there is any.
   */
  public void linger() throws IOException {
    // A drain has shut the input down: then there is nothing to be read.
    if (encrypted() || (reader.buffered() == 0 && !plain.octetsPending())) {
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

  /** Puts a reply behind those that wait, in the form of RFC 5321 section 4.2.1. */
  public void add(Reply reply) {
    int last = reply.lines().size() - 1;
    for (int i = 0; i <= last; i++) {
      putCode(reply.code());
      put(i < last ? '-' : ' ');
      if (!reply.enhanced().isEmpty()) {
        put(reply.enhanced());
        put(' ');
      }
      put(reply.lines().get(i));
      put('\r');
      put('\n');
    }
  }

  /** Sends what waits, in one write. */
  public void flush() throws IOException {
    if (length == 0) {
      return;
    }
    int octets = length;
    length = 0;
    plain.begin(writeLimit);
    out.write(replies, 0, octets);
    out.flush();
    if (replies.length > KEPT_OCTETS) {
      replies = NOTHING;
    }
  }

  private void putCode(int code) {
    put((char) ('0' + code / 100));
    put((char) ('0' + code / 10 % 10));
    put((char) ('0' + code % 10));
  }

  private void put(String ascii) {
    for (int i = 0; i < ascii.length(); i++) {
      put(ascii.charAt(i));
    }
  }

  /** {@link Reply} holds printable ASCII only, so a character is an octet. */
  private void put(char c) {
    if (length == replies.length) {
      replies = Arrays.copyOf(replies, Math.max(INITIAL_OCTETS, 2 * length));
    }
    replies[length++] = (byte) c;
  }
}
