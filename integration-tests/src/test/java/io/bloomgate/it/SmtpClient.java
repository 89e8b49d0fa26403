package io.bloomgate.it;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.wire.ProxyHeader;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A client that sends exactly the given octets, and shows exactly the octets that it receives. */
final class SmtpClient implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 20_000;

  private final StringBuilder said = new StringBuilder();
  private Socket socket;
  private InputStream in;
  private OutputStream out;

  private SmtpClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MILLIS);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
  }

  /** A connection from 127.0.0.1 that has said nothing yet. */
  static SmtpClient connect(int port) throws IOException {
    return new SmtpClient(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** A connection that a trusted proxy makes for a client with this address. */
  static SmtpClient proxied(int port, String address) throws IOException {
    SmtpClient client = connect(port);
    client.raw(new ProxyHeader.Proxied(ip(address), 40_000, ip("192.0.2.25"), 25).v2());
    return client;
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  void raw(byte[] octets) throws IOException {
    said.append(new String(octets, StandardCharsets.ISO_8859_1));
    out.write(octets);
    out.flush();
  }

  /** Sends characters as octets, nothing added. */
  void raw(String latin1) throws IOException {
    raw(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** One line without its CRLF. */
  String line() throws IOException {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    while (true) {
      int octet = in.read();
      if (octet < 0) {
        throw new EOFException("connection closed behind \"" + octets + "\"");
      }
      if (octet == '\n') {
        String line = octets.toString(StandardCharsets.ISO_8859_1);
        if (!line.endsWith("\r") || line.length() > 511) {
          throw new IOException("not a reply line: " + line);
        }
        said.append("    <- ").append(line).append('\n');
        return line.substring(0, line.length() - 1);
      }
      octets.write(octet);
    }
  }

  /** All lines of one reply. */
  List<String> reply() throws IOException {
    List<String> lines = new ArrayList<>();
    do {
      lines.add(line());
    } while (lines.getLast().length() > 3 && lines.getLast().charAt(3) == '-');
    return lines;
  }

  /** Sends a line and reads the reply; the last line of it. */
  String command(String line) throws IOException {
    raw(line + "\r\n");
    return reply().getLast();
  }

  /** The whole dialog so far, for messages. */
  String transcript() {
    return said.toString();
  }

  /** True when the peer has closed and nothing more was said. */
  boolean closed() throws IOException {
    return in.read() < 0;
  }

  /** Begins TLS, trusting this. */
  void encrypt(SSLContext trusting) throws IOException {
    SSLSocket wrapped =
        (SSLSocket)
            trusting
                .getSocketFactory()
                .createSocket(socket, "mx.example.com", socket.getPort(), true);
    wrapped.startHandshake();
    socket = wrapped;
    in = new BufferedInputStream(wrapped.getInputStream());
    out = wrapped.getOutputStream();
  }

  /** Ends sending; what comes can still be read. */
  void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
