package io.bloomgate.gateway.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import io.bloomgate.gateway.wire.tls.TlsSocket;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * A sender on one connection to a listener of this gateway, over which it can send many mails. Used
 * by the doctor, the demo, the training and the warm-up on the threads of their senders, each with
 * its own.
 */
public final class SimpleClient implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int CONNECT_MILLIS = 5_000;

  /** The most octets of one reply, all its lines together. */
  private static final int REPLY_OCTETS = 2048;

  /**
   * The octets of the code of a line of a reply: three digits, and the hyphen of one that is not
   * the last.
   */
  private static final int CODE_OCTETS = 4;

  private final byte[] reply = new byte[REPLY_OCTETS];

  /** Says QUIT at the end, or for a probe forgets that it is one. */
  private final End end;

  private Socket socket;
  private InputStream in;
  private OutputStream out;

  @FunctionalInterface
  private interface End {
    void end(SimpleClient client) throws IOException;
  }

  private SimpleClient(Socket connected, Duration patience, End end) throws IOException {
    this.end = end;
    socket = connected;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) patience.toMillis());
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /** Connects to loopback as a clean sender and says its name. */
  public SimpleClient(int port) throws IOException {
    this(port, new byte[0]);
    taken(read());
    greet();
  }

  /** Connects to loopback and sends these octets; nothing is read yet. */
  public SimpleClient(int port, byte[] before) throws IOException {
    this(
        new Socket(InetAddress.getLoopbackAddress(), port),
        PATIENCE,
        client -> taken(client.ask("QUIT")));
    write(before);
  }

  /**
   * Connects as a probe; nothing is said yet.
   *
   * @param begin gets our end of the connection before the listener sees it
   * @param end gets it again when the probe is over
   */
  public static SimpleClient probe(
      InetSocketAddress listener,
      Duration patience,
      Consumer<SocketAddress> begin,
      Consumer<SocketAddress> end)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.bind(new InetSocketAddress(listener.getAddress(), 0));
      SocketAddress own = socket.getLocalSocketAddress();
      begin.accept(own);
      try {
        socket.connect(listener, CONNECT_MILLIS);
        return new SimpleClient(socket, patience, _ -> end.accept(own));
      } catch (IOException e) {
        end.accept(own);
        throw e;
      }
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** The connection, for a handshake that is of interest itself. */
  public Socket socket() {
    return socket;
  }

  /** The address that the listener sees. */
  public InetAddress ownAddress() {
    return socket.getLocalAddress();
  }

  /** Says STARTTLS, encrypts the connection and greets again. */
  public void startTls() throws IOException {
    taken(ask("STARTTLS"));
    encrypt();
    greet();
  }

  /** Goes on under TLS, with any certificate: it is the gateway's own. */
  public void encrypt() throws IOException {
    TlsSocket tls =
        TlsContext.anyServer(TlsEngine.inUse())
            .over(socket, socket.getInetAddress().getHostAddress());
    tls.handshake();
    socket = tls;
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /**
   * Sends one mail.
   *
   * @param message with a final line end, without a line that begins with a dot
   * @throws IOException also when the gateway does not take it
   */
  public void send(String from, String to, byte[] message) throws IOException {
    taken(ask("MAIL FROM:<" + from + ">"));
    taken(ask("RCPT TO:<" + to + ">"));
    taken(ask("DATA"));
    write(message);
    taken(ask("."));
  }

  /** Ends the dialog. */
  @Override
  public void close() throws IOException {
    try (Socket _ = socket) {
      end.end(this);
    }
  }

  private void greet() throws IOException {
    taken(ask("EHLO mail.home.example"));
  }

  private static void taken(String reply) throws IOException {
    if (reply.charAt(0) > '3') {
      throw new IOException("the gateway said " + reply);
    }
  }

  /** Sends octets as they are. */
  public void write(byte[] octets) throws IOException {
    out.write(octets);
    out.flush();
  }

  /** Sends a line and returns the whole reply. */
  public String ask(String line) throws IOException {
    write((line + "\r\n").getBytes(UTF_8));
    return read();
  }

  /**
   * Reads one reply. Lines are looked for from the end and not one after the other by a {@code
   * BufferedReader}: in a Java that just started the compiler C2 took half a second for that one,
   * and had it not for the gateway.
   */
  public String read() throws IOException {
    int length = 0;
    do {
      int octets = in.read(reply, length, reply.length - length);
      if (octets <= 0) {
        throw new EOFException("the gateway closed the connection, or said too much");
      }
      length += octets;
    } while (!isWhole(length));
    return new String(reply, 0, length, UTF_8);
  }

  /** True when the last line has come, which has no hyphen behind its code (RFC 5321, 4.2.1). */
  private boolean isWhole(int length) {
    if (reply[length - 1] != '\n') {
      return false;
    }
    int line = length - 1;
    while (line > 0 && reply[line - 1] != '\n') {
      line--;
    }
    return length - line < CODE_OCTETS || reply[line + CODE_OCTETS - 1] != '-';
  }
}
