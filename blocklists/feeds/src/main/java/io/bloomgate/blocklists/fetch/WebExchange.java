package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.WebClient.WebRequest;
import io.bloomgate.blocklists.fetch.WebClient.WebRequest.WebProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.auth.BasicScheme;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.routing.DefaultProxyRoutePlanner;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer on a connection of their own. Used by one thread; {@link #close} may
 * be called from any, which is how a time limit cuts it off.
 */
public final class WebExchange implements AutoCloseable {

  private static final int PROXY_AUTHENTICATION_REQUIRED = 407;

  /** Octets of a status line, a header, or the line before a chunk. */
  static final int LONGEST_LINE = 1 << 14;

  /** The headers of one answer, and of the trailers after its last chunk, at most. */
  static final int MOST_HEADERS = 200;

  private static final int BUFFER_OCTETS = 1 << 16;

  private static final Http1Config LIMITS =
      Http1Config.custom()
          .setBufferSize(BUFFER_OCTETS)
          .setMaxLineLength(LONGEST_LINE)
          .setMaxHeaderCount(MOST_HEADERS)
          .build();

  private final WebClient.Means means;
  private final Consumer<WebExchange> whenClosed;
  private @Nullable Socket raw;
  private boolean closed;

  WebExchange(WebClient.Means means, Consumer<WebExchange> whenClosed) {
    this.means = means;
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
    return send("GET", request, null);
  }

  /** Sends JSON; otherwise as {@link #get}. */
  public WebAnswer post(WebRequest request, byte[] json) throws IOException {
    return send("POST", request, new ByteArrayEntity(json, ContentType.APPLICATION_JSON));
  }

  // The client is not closed here: it lives as long as the body, and ends with its socket.
  private WebAnswer send(String method, WebRequest request, @Nullable HttpEntity content)
      throws IOException {
    HttpHost server = new HttpHost(request.scheme(), request.host(), request.url().getPort());
    BasicClassicHttpRequest asked = new BasicClassicHttpRequest(method, server, request.target());
    asked.setEntity(content);
    request.headers().forEach((name, value) -> asked.addHeader(name, sendable(name, value)));
    asked.addHeader("Connection", "close");
    CloseableHttpClient client = client(means, proxy -> socket(), request);
    ClassicHttpResponse answer;
    try {
      answer = client.executeOpen(server, asked, context(request.proxy()));
    } catch (IOException e) {
      throw explained(e);
    }
    if (answer.getCode() == PROXY_AUTHENTICATION_REQUIRED && request.proxy() != null) {
      throw refused(answer.getCode());
    }
    HttpEntity entity = answer.getEntity();
    InputStream body = entity == null ? InputStream.nullInputStream() : entity.getContent();
    return new WebAnswer(answer.getCode(), headers(answer), body);
  }

  private static String sendable(String name, String value) {
    if ((name + value).chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("header " + name + " cannot be sent");
    }
    return value;
  }

  private static Map<String, String> headers(ClassicHttpResponse answer) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Iterator<Header> each = answer.headerIterator(); each.hasNext(); ) {
      Header header = each.next();
      headers.merge(
          header.getName().toLowerCase(Locale.ROOT), header.getValue(), (a, b) -> a + ", " + b);
    }
    return headers;
  }

  /** The error of a proxy that did not carry a request. */
  static WebException refused(int status) {
    return new WebException(
        status == PROXY_AUTHENTICATION_REQUIRED
            ? "the proxy wants a user name and password, set proxy_credentials_file"
            : "the proxy does not let the gateway through, it answered " + status);
  }

  /** The library's message may hold what the server sent; the operator gets ours. */
  private static IOException explained(IOException cause) {
    return switch (cause) {
      case MessageConstraintException tooMuch ->
          new WebException("the server sends too many or too long headers", tooMuch);
      case ClientProtocolException strange ->
          new WebException("the server does not keep to HTTP/1.1", strange);
      case NoHttpResponseException none -> hungUp(none);
      case ConnectionClosedException none -> hungUp(none);
      default -> cause;
    };
  }

  /** The failure of an exchange in words that say what to do, and hold nothing from outside. */
  public static String words(Throwable cause) {
    return switch (cause) {
      case WebException protocol -> String.valueOf(protocol.getMessage());
      case UnknownHostException _ -> "no such host; check the name and DNS";
      case SocketTimeoutException _ -> "no answer in time";
      case ConnectException _ -> "no connection; check host and firewall";
      case SSLException _ -> "TLS failed; check the server's certificate";
      default -> "the transfer broke off";
    };
  }

  private static WebException hungUp(IOException cause) {
    return new WebException("the server hung up without an answer", cause);
  }

  /** The socket through which the connection can be cut from its beginning. */
  private synchronized Socket socket() throws IOException {
    if (closed) {
      throw new IOException("closed");
    }
    if (raw != null) {
      raw.close();
    }
    Socket socket = means.sockets().createSocket();
    raw = socket;
    return socket;
  }

  /** Cuts the connection, also under a thread that waits on it; no TLS farewell is said. */
  @Override
  public void close() {
    cut();
    whenClosed.accept(this);
  }

  private synchronized void cut() {
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

  /**
   * A client that will make one connection.
   *
   * @param sockets unconnected ones; closing the last one cuts the connection in every phase
   */
  private static CloseableHttpClient client(
      WebClient.Means means, DetachedSocketFactory sockets, WebRequest request) {
    WebProxy proxy = request.proxy();
    return HttpClientBuilder.create()
        .setConnectionManager(manager(means, sockets, request))
        .setRoutePlanner(
            proxy == null
                ? new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE)
                : new DefaultProxyRoutePlanner(host(proxy)))
        .setRequestExecutor(new TunnelGuard())
        .setDefaultRequestConfig(
            RequestConfig.custom()
                .setResponseTimeout(Timeout.of(means.silence()))
                .setAuthenticationEnabled(false)
                .setProtocolUpgradeEnabled(false)
                .build())
        .setConnectionReuseStrategy((asked, answer, context) -> false)
        .disableAuthCaching()
        .disableAutomaticRetries()
        .disableContentCompression()
        .disableCookieManagement()
        .disableDefaultUserAgent()
        .disableRedirectHandling()
        .build();
  }

  private static HttpClientConnectionManager manager(
      WebClient.Means means, DetachedSocketFactory sockets, WebRequest request) {
    // Asked only when a TLS connection is made: reading the certificates takes a while.
    TlsSocketStrategy tls =
        (socket, name, port, attachment, context) ->
            // Names by the rules of RFC 2818 (RFC 9110 section 4.3.4), which the JDK knows itself.
            new DefaultClientTlsStrategy(
                    means.tls().get(),
                    HostnameVerificationPolicy.BUILTIN,
                    NoopHostnameVerifier.INSTANCE)
                .upgrade(socket, name, port, attachment, context);
    BasicHttpClientConnectionManager manager =
        new BasicHttpClientConnectionManager(
            new DefaultHttpClientConnectionOperator(
                sockets,
                DefaultSchemePortResolver.INSTANCE,
                new Addresses(means.resolver(), request),
                RegistryBuilder.<TlsSocketStrategy>create().register("https", tls).build()),
            ManagedHttpClientConnectionFactory.builder()
                .http1Config(LIMITS)
                // The library's own would pass over noise before an answer.
                .responseParserFactory(
                    limits -> new DefaultHttpResponseParser(limits, BasicLineParser.INSTANCE, null))
                .build());
    setTimes(manager, means.connectTime(), means.silence());
    return manager;
  }

  private static void setTimes(
      BasicHttpClientConnectionManager manager, Duration connectTime, Duration silence) {
    // The first is for the TLS handshake, which comes before the second counts.
    manager.setSocketConfig(
        SocketConfig.custom().setSoTimeout(Timeout.of(silence)).setTcpNoDelay(true).build());
    manager.setConnectionConfig(
        ConnectionConfig.custom()
            .setConnectTimeout(Timeout.of(connectTime))
            .setSocketTimeout(Timeout.of(silence))
            .build());
  }

  /** Shows the proxy who asks, without waiting for its question (RFC 7617 section 2.2). */
  private static HttpClientContext context(@Nullable WebProxy proxy) {
    HttpClientContext context = HttpClientContext.create();
    if (proxy != null && !proxy.credentials().isEmpty()) {
      int colon = proxy.credentials().indexOf(':');
      BasicScheme basic = new BasicScheme();
      basic.initPreemptive(
          new UsernamePasswordCredentials(
              proxy.credentials().substring(0, colon),
              proxy.credentials().substring(colon + 1).toCharArray()));
      context.resetAuthExchange(host(proxy), basic);
    }
    return context;
  }

  private static HttpHost host(WebProxy proxy) {
    return new HttpHost("http", proxy.host(), proxy.port());
  }

  /** Gives the addresses that the caller checked; the library asks here and nowhere else. */
  private record Addresses(WebClient.Resolver resolver, WebRequest request) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return request.proxy() == null && !request.addresses().isEmpty()
          ? request.addresses().toArray(InetAddress[]::new)
          : resolver.resolve(host);
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /**
   * Fails when a proxy refuses CONNECT: its reply is no answer of the server, as the library would
   * have it.
   */
  private static final class TunnelGuard extends HttpRequestExecutor {
    @Override
    public ClassicHttpResponse execute(
        ClassicHttpRequest request,
        HttpClientConnection connection,
        @Nullable HttpResponseInformationCallback interim,
        HttpContext context)
        throws IOException, HttpException {
      ClassicHttpResponse answer = super.execute(request, connection, interim, context);
      if (Method.CONNECT.isSame(request.getMethod()) && answer.getCode() != 200) {
        throw refused(answer.getCode());
      }
      return answer;
    }
  }

  /**
   * The other side does not keep to HTTP, or the proxy refuses. The message is fit for the operator
   * and holds nothing from outside.
   */
  public static final class WebException extends IOException {

    @Serial private static final long serialVersionUID = 1L;

    WebException(String message) {
      super(message);
    }

    WebException(String message, IOException cause) {
      super(message, cause);
    }
  }

  /**
   * The head of an answer and its body, still to be read from the connection. Valid until its
   * {@link WebExchange} is closed.
   *
   * @param headers by name in small letters; repeated fields are joined by commas
   * @param body ends where the message ends; throws when the connection ends before
   */
  public record WebAnswer(int status, Map<String, String> headers, InputStream body) {

    /** The value of a header, if there is one. */
    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }
  }
}
