package io.bloomgate.gateway.demo;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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

  private Socket socket;
  private BufferedReader in;
  private OutputStream out;

  /** Connects and says its name. */
  public TrainingClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = reader(socket);
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
    in = reader(encrypted);
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

  private static BufferedReader reader(Socket from) throws IOException {
    return new BufferedReader(
        new InputStreamReader(from.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  private void greet() throws IOException {
    ask("EHLO mail.home.example");
  }

  private void ask(String line) throws IOException {
    out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    read();
  }

  private void read() throws IOException {
    String line = in.readLine();
    while (line != null && line.length() > 3 && line.charAt(3) == '-') {
      line = in.readLine();
    }
    if (line == null) {
      throw new EOFException("the gateway closed the connection");
    }
    if (line.isEmpty() || line.charAt(0) > '3') {
      throw new IOException("the gateway said " + line);
    }
  }
}
