package io.bloomgate.gateway.wire.tls;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslServerSessionContext;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ReferenceCounted;
import java.net.Socket;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * One side of TLS, ready for any number of connections: a server's certificate, or a client's
 * trust. Used by sessions on any thread.
 */
public final class TlsContext {

  /** RFC 8996 forbids everything older. */
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /**
   * Forward secrecy and authenticated encryption only, RFC 9325 section 4.2, the best first.
   * BoringSSL has none of the last three.
   */
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_AES_128_GCM_SHA256",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256");

  /**
   * A client takes in addition what old mail servers know, as Java does by itself: with any of them
   * mail is safer than in the clear (RFC 7435). BoringSSL has those with SHA alone and the four
   * without forward secrecy, Java all but these four.
   */
  private static final List<String> CLIENT_SUITES =
      Stream.concat(
              SUITES.stream(),
              Stream.of(
                  "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
                  "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384",
                  "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
                  "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
                  "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256",
                  "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256",
                  "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
                  "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
                  "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
                  "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
                  "TLS_DHE_RSA_WITH_AES_256_CBC_SHA",
                  "TLS_DHE_RSA_WITH_AES_128_CBC_SHA",
                  "TLS_RSA_WITH_AES_256_GCM_SHA384",
                  "TLS_RSA_WITH_AES_128_GCM_SHA256",
                  "TLS_RSA_WITH_AES_256_CBC_SHA",
                  "TLS_RSA_WITH_AES_128_CBC_SHA"))
          .toList();

  /** Sessions that can be resumed without a ticket, and those that a client remembers. */
  private static final int MAX_CACHED_SESSIONS = 1_000;

  static {
    // The name that a client asks for (RFC 6066 section 3) was looked at when the certificate was
    // chosen. Java would read it again, and end the handshake for each name that is no host name to
    // it. It looks at this once, before the first handshake of a server.
    System.setProperty("jdk.tls.server.disableExtensions", "server_name");
  }

  private final SslContext context;
  private final @Nullable Supplier<TlsContext> java;
  private @Nullable TlsContext byJava;
  private volatile long ticketPeriod = Long.MIN_VALUE;

  private TlsContext(SslContext context, @Nullable Supplier<TlsContext> java) {
    this.context = context;
    this.java = java;
  }

  /**
   * A server with one certificate.
   *
   * @param chain the server's own certificate first
   */
  public static TlsContext server(TlsEngine engine, PrivateKey key, List<X509Certificate> chain)
      throws SSLException {
    return new TlsContext(
        SslContextBuilder.forServer(key, chain)
            .sslProvider(engine.provider)
            .protocols(PROTOCOLS)
            .ciphers(SUITES, SupportedCipherSuiteFilter.INSTANCE)
            .sessionCacheSize(MAX_CACHED_SESSIONS)
            .build(),
        engine == TlsEngine.JDK ? null : () -> byJava(key, chain));
  }

  private static TlsContext byJava(PrivateKey key, List<X509Certificate> chain) {
    try {
      return server(TlsEngine.JDK, key, chain);
    } catch (SSLException e) {
      throw new IllegalStateException("Java cannot use what BoringSSL does", e);
    }
  }

  /**
   * Lets clients come again with tickets of these keys, and renews the keys when it is time. The
   * native engine gives no ticket before; Java's has keys of its context and needs none.
   */
  public void renewTickets(TicketKeys keys, Instant now) {
    long period = TicketKeys.period(now);
    if (period != ticketPeriod
        && context.sessionContext() instanceof OpenSslServerSessionContext sessions) {
      sessions.setTicketKeys(keys.of(period));
      ticketPeriod = period;
    }
  }

  /** A client that takes any certificate, so against eavesdroppers only (RFC 7435). */
  public static TlsContext anyServer(TlsEngine engine) {
    return client(engine, InsecureTrustManagerFactory.INSTANCE, "");
  }

  /** Trust in every certificate, for a client of Java's own that looks at what a server shows. */
  public static TrustManager[] anyCertificate() {
    return InsecureTrustManagerFactory.INSTANCE.getTrustManagers();
  }

  /**
   * A client that wants a chain to one of these authorities and the name it asked for.
   *
   * @param authorities {@code null} for those that the Java installation trusts
   */
  public static TlsContext verified(TlsEngine engine, @Nullable TrustManagerFactory authorities) {
    return client(engine, authorities, "HTTPS");
  }

  private static TlsContext client(
      TlsEngine engine, @Nullable TrustManagerFactory trust, String names) {
    try {
      SslContext context =
          SslContextBuilder.forClient()
              .sslProvider(engine.provider)
              .protocols(PROTOCOLS)
              .ciphers(CLIENT_SUITES, SupportedCipherSuiteFilter.INSTANCE)
              .trustManager(trust)
              .endpointIdentificationAlgorithm(names)
              .sessionCacheSize(MAX_CACHED_SESSIONS)
              .build();
      if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
        sessions.setSessionCacheEnabled(true);
      }
      return new TlsContext(
          context, engine == TlsEngine.JDK ? null : () -> client(TlsEngine.JDK, trust, names));
    } catch (SSLException e) {
      throw new IllegalStateException("this Java installation has no TLS", e);
    }
  }

  /**
   * The same by Java's engine, which takes peers that BoringSSL refuses. They know no suite and no
   * group that it has, a client asks for several names or none in a list of names, or the
   * certificate of a server may sign nothing by its key usage.
   *
   * @return {@code null} when this is by Java's engine itself
   */
  public synchronized @Nullable TlsContext byJava() {
    if (byJava == null && java != null) {
      byJava = java.get();
    }
    return byJava;
  }

  /** True when BoringSSL does it. */
  boolean byBoringSsl() {
    return java != null;
  }

  /** This one, or that by Java's engine where BoringSSL would refuse the client. */
  TlsContext forClient(ClientHello hello) {
    TlsContext other = hello.fitsBoringSsl() ? null : byJava();
    return other == null ? this : other;
  }

  /**
   * Puts TLS over a connection; the handshake is still to come.
   *
   * @param peer its name, which a client sends and compares with the certificate
   */
  public TlsSocket over(Socket plain, String peer) {
    SSLEngine engine = context.newEngine(UnpooledByteBufAllocator.DEFAULT, peer, plain.getPort());
    boolean counted = engine instanceof ReferenceCounted;
    return new TlsSocket(plain, engine, () -> ReferenceCountUtil.safeRelease(engine), counted);
  }
}
