package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.fetch.WebRequest.WebProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
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
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.message.BasicLineParser;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sets the library up for one request: a connection that nobody else uses, to addresses that the
 * caller chose, and nothing of what a browser would do by itself. Used by {@link WebExchange}.
 */
final class OneConnection {

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

  private OneConnection() {}

  /**
   * A client that will make one connection.
   *
   * @param sockets unconnected ones; closing the last one cuts the connection in every phase
   */
  static CloseableHttpClient client(
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
  static HttpClientContext context(@Nullable WebProxy proxy) {
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
        throw WebExchange.refused(answer.getCode());
      }
      return answer;
    }
  }
}
