package io.bloomgate.blocklists.web;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * One request and its answer on a connection of their own. Used by one thread; {@link #close} may
 * be called from any, which is how a time limit cuts it off.
 */
public final class WebExchange implements AutoCloseable {

  private static final int BUFFER_OCTETS = 1 << 16;
  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  private final Connector connector;
  private final Consumer<WebExchange> whenClosed;

  WebExchange(Connector connector, Consumer<WebExchange> whenClosed) {
    this.connector = connector;
    this.whenClosed = whenClosed;
  }

  /**
   * Asks.
   *
   * @throws java.net.UnknownHostException when the name has no address
   * @throws java.net.SocketTimeoutException when the server does not connect or falls silent
   * @throws javax.net.ssl.SSLException when the server cannot prove its name
   * @throws WebException when the other side does not keep to HTTP, or the proxy refuses
   * @throws IOException when the connection fails otherwise
   */
  public WebAnswer get(WebRequest request) throws IOException {
    Socket socket = connector.connect(request);
    socket.getOutputStream().write(head(request).getBytes(StandardCharsets.ISO_8859_1));
    InputStream in = new BufferedInputStream(socket.getInputStream(), BUFFER_OCTETS);
    AnswerHead head = AnswerHead.read(in);
    if (head.status() == PROXY_AUTHENTICATION_REQUIRED && request.proxy() != null) {
      throw Connector.refused(head.status());
    }
    return new WebAnswer(head.status(), head.headers(), head.body(in));
  }

  /** RFC 9112 section 3; a proxy is asked for the whole URL (section 3.2.2). */
  private static String head(WebRequest request) {
    WebProxy proxy = request.isEncrypted() ? null : request.proxy();
    StringBuilder head = new StringBuilder("GET ");
    if (proxy != null) {
      head.append("http://").append(request.hostHeader());
    }
    head.append(request.target()).append(" HTTP/1.1\r\n");
    head.append("Host: ").append(request.hostHeader()).append("\r\n");
    head.append(proxy == null ? "" : Connector.credentials(proxy));
    request
        .headers()
        .forEach((name, value) -> {
          if ((name + value).chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("header " + name + " cannot be sent");
          }
          head.append(name).append(": ").append(value).append("\r\n");
        });
    return head.append("Connection: close\r\n\r\n").toString();
  }

  @Override
  public void close() {
    connector.close();
    whenClosed.accept(this);
  }
}
