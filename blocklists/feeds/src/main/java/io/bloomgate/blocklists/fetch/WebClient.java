package io.bloomgate.blocklists.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.ssl.SSLContexts;

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
}
