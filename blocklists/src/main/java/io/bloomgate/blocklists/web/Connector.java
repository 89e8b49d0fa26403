package io.bloomgate.blocklists.web;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * From a request to a socket on which it can be written: to the address that the caller checked, or
 * through the proxy, with TLS on top. Belongs to one {@link WebExchange}; connects on its thread,
 * may be closed from any.
 */
final class Connector implements AutoCloseable {

  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  private final WebClient.Means means;
  private @Nullable Socket raw;
  private boolean closed;

  Connector(WebClient.Means means) {
    this.means = means;
  }

  /** A socket to the server, or to the proxy that wants the request itself. */
  Socket connect(WebRequest request) throws IOException {
    WebProxy proxy = request.proxy();
    Socket socket =
        proxy == null
            ? open(
                request.addresses().isEmpty()
                    ? List.of(means.resolver().resolve(request.host()))
                    : request.addresses(),
                request.port())
            : open(List.of(means.resolver().resolve(proxy.host())), proxy.port());
    if (proxy != null && request.isEncrypted()) {
      tunnel(socket, request, proxy);
    }
    return request.isEncrypted() ? encrypted(socket, request) : socket;
  }

  private Socket open(List<InetAddress> addresses, int port) throws IOException {
    IOException last = new ConnectException("no address");
    for (InetAddress address : addresses) {
      try {
        Socket socket = remembered(means.sockets().createSocket());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) means.silence().toMillis());
        socket.connect(new InetSocketAddress(address, port), (int) means.connectTime().toMillis());
        return socket;
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  private synchronized Socket remembered(Socket socket) throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    if (raw != null) {
      raw.close();
    }
    raw = socket;
    return socket;
  }

  /** RFC 9110 section 9.3.6. */
  private static void tunnel(Socket socket, WebRequest request, WebProxy proxy) throws IOException {
    String authority = request.authority();
    String head =
        "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n" + credentials(proxy);
    socket.getOutputStream().write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    InputStream in = socket.getInputStream();
    int status = AnswerHead.read(in).status();
    if (status / 100 != 2) {
      throw refused(status);
    }
  }

  /** Why a proxy did not carry a request. */
  static WebException refused(int status) {
    return new WebException(
        status == PROXY_AUTHENTICATION_REQUIRED
            ? "the proxy wants a user name and password, set proxy_credentials_file"
            : "the proxy does not let the gateway through, it answered " + status);
  }

  /** The header that shows the proxy who asks (RFC 7617), or nothing. */
  static String credentials(WebProxy proxy) {
    if (proxy.credentials().isEmpty()) {
      return "";
    }
    byte[] octets = proxy.credentials().getBytes(StandardCharsets.UTF_8);
    return "Proxy-Authorization: Basic " + Base64.getEncoder().encodeToString(octets) + "\r\n";
  }

  /** The certificate must name the host of the URL, whatever address was connected to. */
  private SSLSocket encrypted(Socket socket, WebRequest request) throws IOException {
    SSLSocket layered =
        (SSLSocket) means.tls().get().createSocket(socket, request.host(), request.port(), true);
    SSLParameters parameters = layered.getSSLParameters();
    // RFC 9110 section 4.3.4, by the rules of RFC 2818.
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    layered.setSSLParameters(parameters);
    layered.startHandshake();
    return layered;
  }

  /** Cuts the connection, also under a thread that waits on it; no TLS farewell is said. */
  @Override
  public synchronized void close() {
    closed = true;
    if (raw != null) {
      try {
        raw.close();
      } catch (IOException e) {
        // It is gone either way.
        raw = null;
      }
    }
  }
}
