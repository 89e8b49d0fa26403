package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Decides which certificates are accepted. Used once by each {@link MailServer}, and by the doctor
 * when it connects to a listener.
 */
public final class UpstreamTlsContext {

  private UpstreamTlsContext() {}

  /**
   * Makes the context. With {@code verify}: a chain to an authority that the Java installation
   * trusts (the name is checked by the caller). Else: any certificate, against eavesdroppers only
   * (RFC 7435), as mail servers on private networks rarely have one that can be verified.
   */
  static SSLContext of(UpstreamTls tls) {
    try {
      return tls == UpstreamTls.VERIFY ? SSLContext.getDefault() : anyCertificate();
    } catch (GeneralSecurityException e) {
      throw noTls(e);
    }
  }

  /** Any certificate, so against eavesdroppers only. */
  public static SSLContext anyCertificate() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new AnyCertificate()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw noTls(e);
    }
  }

  private static IllegalStateException noTls(GeneralSecurityException cause) {
    return new IllegalStateException("this Java installation has no TLS", cause);
  }

  private static final class AnyCertificate extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
