package io.bloomgate.blocklists.fetch;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.ssl.SSLContexts;
import org.jspecify.annotations.Nullable;

/**
 * Makes exchanges and knows which are open, so that all of them end with the program. Made once by
 * {@link FeedSources}. Thread-safe.
 */
public final class WebClient implements AutoCloseable {

  /** A resolver of names; the JDK's in production. */
  @FunctionalInterface
  public interface Resolver {
    /** All addresses of a host. */
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /**
   * The parts of which connections are made.
   *
   * @param sockets unconnected ones
   * @param tls says whom to trust, asked at the first need; names are checked by the client
   * @param connectTime until a connection is made, for each address that is tried
   * @param silence time without an octet from the server
   */
  public record Means(
      Resolver resolver,
      SocketFactory sockets,
      Supplier<SSLContext> tls,
      Duration connectTime,
      Duration silence) {

    /** The means of the JDK, with the certificates that it trusts. */
    public static Means ofJdk(Duration connectTime, Duration silence) {
      return new Means(
          InetAddress::getAllByName,
          SocketFactory.getDefault(),
          SSLContexts::createSystemDefault,
          connectTime,
          silence);
    }
  }

  private final Means means;
  private final Set<WebExchange> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A client. */
  public WebClient(Means means) {
    this.means = means;
  }

  /** Makes an exchange for one request; to be closed by the caller. */
  public WebExchange exchange() {
    WebExchange exchange = new WebExchange(means, open::remove);
    open.add(exchange);
    if (closed) {
      exchange.close();
    }
    return exchange;
  }

  /** The addresses of a host, by the resolver that requests use. */
  public InetAddress[] resolve(String host) throws UnknownHostException {
    return means.resolver().resolve(host);
  }

  /** Ends all exchanges, and every later one at its beginning. */
  @Override
  public void close() {
    closed = true;
    open.forEach(WebExchange::close);
  }

  /**
   * A request, and the way to its server. Immutable.
   *
   * @param url absolute, http or https, without user information
   * @param addresses where to connect, tried in order; empty to look the name up. Of no use with a
   *     proxy, which looks names up itself
   * @param headers besides Host and Connection, already checked; none may hold CR or LF
   * @param proxy {@code null} to ask directly
   */
  public record WebRequest(
      URI url, List<InetAddress> addresses, Map<String, String> headers, @Nullable WebProxy proxy) {

    public WebRequest {
      addresses = List.copyOf(addresses);
      headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    String scheme() {
      return url.getScheme();
    }

    /** Name or address literal, without brackets. */
    String host() {
      String host = url.getHost();
      return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Path and query as they are asked for (RFC 9112 section 3.2.1). */
    String target() {
      String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
      return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }

    /**
     * A proxy that carries http and https. Immutable.
     *
     * @param host name or address literal without brackets
     * @param credentials USER:PASSWORD for Basic (RFC 7617), empty for none
     */
    public record WebProxy(String host, int port, String credentials) {

      /** The address without the credentials. */
      @Override
      public String toString() {
        return host + ":" + port;
      }
    }
  }
}
