package io.bloomgate.gateway.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * A clean sender on one connection, over which it can send many mails. Used by {@link Training} and
 * by the warm-up of the gateway on the threads of their senders, each with its own.
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

  /** Connects and says its name. */
  public TrainingClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = socket.getInputStream();
    out = socket.getOutputStream();
    read();
    greet();
  }

  /** Encrypts the connection, and takes whatever certificate is shown: it is the gateway's own. */
  void startTls(SSLContext context) throws IOException {
    ask("STARTTLS");
    SSLSocket encrypted =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(socket, "mx.company.example", socket.getPort(), true);
    encrypted.startHandshake();
    socket = encrypted;
    in = encrypted.getInputStream();
    out = encrypted.getOutputStream();
    greet();
  }

  /**
   * Sends one mail.
   *
   * @param message with a final line end, without a line that begins with a dot
   * @throws IOException also when the gateway does not take it
   */
  public void send(String from, String to, byte[] message) throws IOException {
    ask("MAIL FROM:<" + from + ">");
    ask("RCPT TO:<" + to + ">");
    ask("DATA");
    out.write(message);
    ask(".");
  }

  /** Ends the dialog. */
  @Override
  public void close() throws IOException {
    try (Socket _ = socket) {
      ask("QUIT");
    }
  }

  /** A context that believes every certificate. */
  static TrustManager[] believers() {
    return new TrustManager[] {
      new X509TrustManager() {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
          return new X509Certificate[0];
        }
      }
    };
  }

  private void greet() throws IOException {
    ask("EHLO mail.home.example");
  }

  private void ask(String line) throws IOException {
    out.write((line + "\r\n").getBytes(ISO_8859_1));
    out.flush();
    read();
  }

  /**
   * Reads one reply. Lines are looked for from the end and not one after the other by a {@code
   * BufferedReader}: in a Java that just started the compiler C2 took half a second for that one,
   * and had it not for the gateway.
   */
  private void read() throws IOException {
    int length = 0;
    do {
      int octets = in.read(reply, length, reply.length - length);
      if (octets <= 0) {
        throw new EOFException("the gateway closed the connection, or said too much");
      }
      length += octets;
    } while (!isWhole(length));
    if (reply[0] > '3') {
      throw new IOException("the gateway said " + new String(reply, 0, length, ISO_8859_1));
    }
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
