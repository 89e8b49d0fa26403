package io.bloomgate.gateway;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A client that speaks SMTP line by line with a gateway under test. */
final class SmtpLines implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private Socket socket;
  private BufferedReader in;

  /** Connects; the greeting is not read yet. */
  SmtpLines(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = lines(socket);
  }

  private static BufferedReader lines(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** Says STARTTLS, goes on under TLS whoever the server is, and tells the server's certificate. */
  X509Certificate startTls() throws IOException, GeneralSecurityException {
    String reply = say("STARTTLS");
    if (!reply.startsWith("220")) {
      throw new AssertionError(reply);
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Credulous()}, null);
    SSLSocket tls =
        (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", 25, true);
    tls.startHandshake();
    socket = tls;
    in = lines(tls);
    return (X509Certificate) tls.getSession().getPeerCertificates()[0];
  }

  private static final class Credulous implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  /** The last line of the next reply; {@code null} as text at the end of the stream. */
  String read() throws IOException {
    String line = String.valueOf(in.readLine());
    while (line.length() > 3 && line.charAt(3) == '-') {
      line = String.valueOf(in.readLine());
    }
    return line;
  }

  /** Says a line and reads the reply. */
  String say(String line) throws IOException {
    send(line + "\r\n");
    return read();
  }

  /** Sends text as it is. */
  void send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Greeting, EHLO, MAIL and RCPT; the reply to RCPT. */
  String rcpt(String helo, String from, String to) throws IOException {
    read();
    say("EHLO " + helo);
    say("MAIL FROM:<" + from + ">");
    return say("RCPT TO:<" + to + ">");
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
