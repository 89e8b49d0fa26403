package io.bloomgate.gateway.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.gateway.relay.UpstreamTlsContext;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A sender on one connection, over which it can send many mails. Used by {@link Training}, {@link
 * DemoClient} and the warm-up of the gateway on the threads of their senders, each with its own.
 */
public final class TrainingClient implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 10_000;

  /** The most octets of one reply, all its lines together. */
  private static final int REPLY_OCTETS = 2048;

  /**
   * The octets of the code of a line of a reply: three digits, and the hyphen of one that is not
   * the last.
   */
  private static final int CODE_OCTETS = 4;

  private final byte[] reply = new byte[REPLY_OCTETS];
  private Socket socket;
  private InputStream in;
  private OutputStream out;

  /** Connects as a clean sender and says its name. */
  public TrainingClient(int port) throws IOException {
    this(port, new byte[0]);
    taken(read());
    greet();
  }

  /** Connects and sends these octets; nothing is read yet. */
  TrainingClient(int port, byte[] before) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    write(before);
  }

  /** Encrypts the connection, and takes whatever certificate is shown: it is the gateway's own. */
  void startTls() throws IOException {
    taken(ask("STARTTLS"));
    socket =
        UpstreamTlsContext.anyCertificate()
            .getSocketFactory()
            .createSocket(socket, "mx.company.example", socket.getPort(), true);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    greet();
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
      taken(ask("QUIT"));
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

  void write(byte[] octets) throws IOException {
    out.write(octets);
    out.flush();
  }

  /** Sends a line and returns the whole reply. */
  String ask(String line) throws IOException {
    write((line + "\r\n").getBytes(UTF_8));
    return read();
  }

  /**
   * Reads one reply. Lines are looked for from the end and not one after the other by a {@code
   * BufferedReader}: in a Java that just started the compiler C2 took half a second for that one,
   * and had it not for the gateway.
   */
  String read() throws IOException {
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
