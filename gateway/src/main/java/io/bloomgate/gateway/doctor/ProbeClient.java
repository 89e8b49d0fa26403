package io.bloomgate.gateway.doctor;

import io.bloomgate.gateway.relay.UpstreamTlsContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A client of one of our listeners, with the dialog of a foreign sender. Used by {@link
 * ListenerProbe}.
 */
final class ProbeClient implements AutoCloseable {

  private static final int CONNECT_MILLIS = 5_000;
  private static final int MAX_REPLY_OCTETS = 16_384;

  private Socket socket;
  private InputStream in = InputStream.nullInputStream();
  private final ExaminedGateway.Probes probes;
  private @Nullable SocketAddress ownEnd;

  /** Connects; nothing is said yet. */
  ProbeClient(String host, int port, Duration patience, ExaminedGateway.Probes probes)
      throws IOException {
    InetAddress listener = InetAddress.getByName(host);
    socket = new Socket();
    this.probes = probes;
    try {
      socket.setSoTimeout((int) patience.toMillis());
      // Its own end is registered before the listener sees it; the listener's address is one of
      // ours.
      socket.bind(new InetSocketAddress(listener, 0));
      ownEnd = socket.getLocalSocketAddress();
      probes.begin().accept(ownEnd);
      socket.connect(new InetSocketAddress(listener, port), CONNECT_MILLIS);
      in = socket.getInputStream();
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** The address that the listener sees. */
  InetAddress ownAddress() {
    return socket.getLocalAddress();
  }

  void send(String line) throws IOException {
    send((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  void send(byte[] octets) throws IOException {
    socket.getOutputStream().write(octets);
  }

  /** Goes on under TLS, with any certificate: {@link TlsChecks} checks it. */
  void encrypt() throws IOException {
    socket =
        UpstreamTlsContext.anyCertificate()
            .getSocketFactory()
            .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    in = socket.getInputStream();
  }

  /** Sends a line and returns the last line of the reply. */
  String ask(String line) throws IOException {
    send(line);
    return reply();
  }

  /** The last line of the next reply. */
  String reply() throws IOException {
    String line = line();
    while (line.length() > 3 && line.charAt(3) == '-') {
      line = line();
    }
    return line;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    int octet = in.read();
    while (octet != '\n') {
      if (octet < 0 || line.length() > MAX_REPLY_OCTETS) {
        throw new IOException("the connection ended after `" + line + "`");
      }
      if (octet != '\r') {
        line.append((char) octet);
      }
      octet = in.read();
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    if (ownEnd != null) {
      probes.end().accept(ownEnd);
    }
    socket.close();
  }
}
