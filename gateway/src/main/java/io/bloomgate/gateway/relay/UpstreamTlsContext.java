package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.TrustManagerFactory;

/**
 * Decides which certificates are accepted. Used once by each {@link MailServer}, and by {@link
 * SimpleClient}, by which the doctor connects to a listener.
 */
final class UpstreamTlsContext {

  private UpstreamTlsContext() {}

  /**
   * Makes the context. With {@code verify}: the name, and a chain to an authority that the Java
   * installation trusts. Else: any certificate, against eavesdroppers only (RFC 7435), as mail
   * servers on private networks rarely have one that can be verified.
   */
  static TlsContext of(UpstreamTls tls, TlsEngine engine) {
    return tls == UpstreamTls.VERIFY
        ? TlsContext.verified(engine, authorities())
        : TlsContext.anyServer(engine);
  }

  /** Any certificate, so against eavesdroppers only. */
  static TlsContext anyCertificate() {
    return TlsContext.anyServer(TlsEngine.inUse());
  }

  private static TrustManagerFactory authorities() {
    try {
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init((KeyStore) null);
      return factory;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java installation knows no authorities", e);
    }
  }
}
