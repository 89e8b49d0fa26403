package io.bloomgate.gateway.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** An SMTP client for tests that sends exactly the octets that it is given. */
public final class SmtpClient implements AutoCloseable {

  /** Longest line of a reply, without CRLF. */
  private static final int MAX_LINE = 510;

  /** What {@link #reply} says when the server has closed. */
  public static final String END = "<end>";

  private static final int PATIENCE_MILLIS = 60_000;

  private Socket socket;
  private InputStream in;

  public SmtpClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  public SmtpClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  public Socket socket() {
    return socket;
  }

  /** Goes on over another socket, for TLS. */
  public void continueOn(Socket other) throws IOException {
    socket = other;
    in = new BufferedInputStream(other.getInputStream());
  }

  /** Sends octets as they are; each character is one. */
  public void raw(String octets) throws IOException {
    raw(octets.getBytes(ISO_8859_1));
  }

  public void raw(byte[] octets) throws IOException {
    socket.getOutputStream().write(octets);
    socket.getOutputStream().flush();
  }

  /** Sends a line and gives the reply to it. */
  public String ask(String line) throws IOException {
    raw(line + "\r\n");
    return reply();
  }

  /** The next reply, its lines joined by a line feed. */
  public String reply() throws IOException {
    StringBuilder reply = new StringBuilder();
    while (true) {
      String line = line();
      if (line.equals(END)) {
        return reply.isEmpty() ? END : reply + "\n" + END;
      }
      reply.append(line);
      if (line.length() < 4 || line.charAt(3) != '-') {
        return reply.toString();
      }
      reply.append('\n');
    }
  }

  /** Reads the banner and says EHLO. */
  public SmtpClient upToEhlo() throws IOException {
    expect("220", reply());
    expect("250", ask("EHLO client.example"));
    return this;
  }

  /** The same with MAIL. */
  public SmtpClient upToMail(String from) throws IOException {
    upToEhlo();
    expect("250", ask("MAIL FROM:<" + from + ">"));
    return this;
  }

  /** Greets and begins a transaction with one recipient. */
  public SmtpClient upToRcpt() throws IOException {
    upToMail("alice@sender.example");
    expect("250", ask("RCPT TO:<bob@example.com>"));
    return this;
  }

  /** The same where the banner has been read. */
  public SmtpClient fromGreetingToRcpt() throws IOException {
    expect("250", ask("EHLO client.example"));
    expect("250", ask("MAIL FROM:<alice@sender.example>"));
    expect("250", ask("RCPT TO:<bob@example.com>"));
    return this;
  }

  /** The same with DATA. */
  public SmtpClient upToContent() throws IOException {
    upToRcpt();
    expect("354", ask("DATA"));
    return this;
  }

  /** DATA with this content; the reply to its final dot. */
  public String message(String content) throws IOException {
    expect("354", ask("DATA"));
    return content(content);
  }

  /** This content, with its dots doubled, and the final dot; the reply to that. */
  public String content(String content) throws IOException {
    raw(stuffed(content) + ".\r\n");
    return reply();
  }

  /** As RFC 5321 section 4.5.2 wants it. */
  public static String stuffed(String content) {
    return ("\r\n" + content).replace("\r\n.", "\r\n..").substring(2);
  }

  /** Greeting, EHLO, MAIL and RCPT, whatever the replies to them are; the reply to RCPT. */
  public String rcpt(String helo, String from, String to) throws IOException {
    reply();
    ask("EHLO " + helo);
    ask("MAIL FROM:<" + from + ">");
    return ask("RCPT TO:<" + to + ">");
  }

  /** Sends STARTTLS and goes on under TLS with any server; the result is its certificate. */
  public X509Certificate startTls() throws IOException, GeneralSecurityException {
    expect("220", ask("STARTTLS"));
    SSLSocket tls = TestCertificate.clientOfAnyServer(socket);
    tls.startHandshake();
    continueOn(tls);
    return (X509Certificate) tls.getSession().getPeerCertificates()[0];
  }

  public static void expect(String code, String reply) {
    if (!reply.startsWith(code)) {
      throw new AssertionError("expected " + code + " but got: " + reply);
    }
  }

  /** A connection that a trusted proxy makes for a client with this address. */
  public static SmtpClient proxied(int port, String address) throws IOException {
    SmtpClient client = new SmtpClient(port);
    client.raw(new ProxyHeader.Proxied(ip(address), 40_000, ip("192.0.2.25"), 25).v2());
    return client;
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  /** All lines of the next reply; the end of the connection is a failure. */
  public List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    do {
      lines.add(nextLine());
    } while (lines.getLast().length() > 3 && lines.getLast().charAt(3) == '-');
    return lines;
  }

  /** The next line of a reply; the end of the connection is a failure. */
  public String nextLine() throws IOException {
    String line = line();
    if (line.equals(END)) {
      throw new EOFException("the connection was closed");
    }
    return line;
  }

  /** Sends a line and reads the reply; the last line of it. */
  public String command(String line) throws IOException {
    raw(line + "\r\n");
    return lines().getLast();
  }

  /** True when the peer has closed and nothing more came. */
  public boolean closed() throws IOException {
    return in.read() < 0;
  }

  /** Begins TLS with a server that has this name and this certificate. */
  public void encrypt(SSLContext trusting, String name) throws IOException {
    SSLSocket tls =
        (SSLSocket) trusting.getSocketFactory().createSocket(socket, name, socket.getPort(), true);
    tls.startHandshake();
    continueOn(tls);
  }

  private String line() throws IOException {
    String line = readLine();
    // RFC 5321 section 4.5.3.1.5: 512 octets with CRLF.
    if (line.length() > MAX_LINE) {
      throw new AssertionError("reply line too long: " + line);
    }
    return line;
  }

  private String readLine() throws IOException {
    StringBuilder line = new StringBuilder();
    try {
      for (int c = in.read(); c >= 0; c = in.read()) {
        if (c == '\n') {
          if (line.isEmpty() || line.charAt(line.length() - 1) != '\r') {
            throw new AssertionError("reply line without CR: " + line);
          }
          return line.substring(0, line.length() - 1);
        }
        line.append((char) c);
      }
    } catch (SocketException reset) {
      return END;
    }
    return END;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
