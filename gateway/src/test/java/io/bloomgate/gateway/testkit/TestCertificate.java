package io.bloomgate.gateway.testkit;

import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** A self-signed certificate for tests, made by the JDK's keytool. */
public final class TestCertificate {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private static final Map<List<String>, TestCertificate> SHARED = new ConcurrentHashMap<>();

  private final KeyStore store;

  private TestCertificate(KeyStore store) {
    this.store = store;
  }

  /**
   * One for this name that all tests of this process have in common, for those that only need any:
   * keytool takes a second.
   */
  public static TestCertificate shared(String subjectAlternative) {
    return shared(subjectAlternative, "EC");
  }

  /** The same with this kind of key, as keytool names it. */
  public static TestCertificate shared(String subjectAlternative, String algorithm) {
    return SHARED.computeIfAbsent(
        List.of(subjectAlternative, algorithm),
        _ -> {
          try {
            Path folder = Files.createTempDirectory("certificate");
            TestCertificate made = create(folder, subjectAlternative, algorithm);
            try (var files = Files.newDirectoryStream(folder)) {
              for (Path file : files) {
                Files.delete(file);
              }
            }
            Files.delete(folder);
            return made;
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /**
   * Makes one.
   *
   * @param folder for the key store, a test's own
   * @param subjectAlternative as keytool has it: {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestCertificate create(Path folder, String subjectAlternative) {
    return create(folder, subjectAlternative, "EC");
  }

  /** One whose key may by its key usage encrypt and not sign, as recipes of old had it. */
  public static TestCertificate createOnlyToEncrypt(Path folder, String subjectAlternative) {
    return create(folder, subjectAlternative, "RSA", "-ext", "ku=keyEncipherment");
  }

  private static TestCertificate create(
      Path folder, String subjectAlternative, String algorithm, String... more) {
    Path file = folder.resolve("test-" + subjectAlternative.hashCode() + ".p12");
    try {
      Files.deleteIfExists(file);
      ProcessBuilder keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-J-XX:TieredStopAtLevel=1",
                  "-J-XX:+UseSerialGC",
                  "-genkeypair",
                  "-alias",
                  "test",
                  "-keyalg",
                  algorithm,
                  "-dname",
                  "CN=test",
                  "-ext",
                  "san=" + subjectAlternative,
                  "-validity",
                  "30",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  file.toString(),
                  "-storepass",
                  new String(PASSWORD))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD);
      keytool.command().addAll(List.of(more));
      if (algorithm.equals("EC")) {
        keytool.command().addAll(List.of("-groupname", "secp256r1"));
      }
      if (keytool.start().waitFor() != 0) {
        throw new IllegalStateException("keytool failed");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD);
      }
      return new TestCertificate(store);
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** For the gateway's listeners, by this engine. */
  public TlsContext server(TlsEngine engine) {
    try {
      return TlsContext.server(
          engine, (PrivateKey) store.getKey("test", PASSWORD), List.of(certificate()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public X509Certificate certificate() {
    try {
      return (X509Certificate) store.getCertificate("test");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For the gateway as a client that trusts this certificate and no other. */
  public TlsContext verifying(TlsEngine engine) {
    return TlsContext.verified(engine, authorities());
  }

  /** For the side that shows the certificate. */
  public SSLContext server() {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** For the side that trusts this certificate and no other. */
  public SSLContext trusting() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, authorities().getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private TrustManagerFactory authorities() {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("test", store.getCertificate("test"));
      trust.init(trusted);
      return trust;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes certificate chain and key as the settings want them. */
  public void writePem(Path certificate, Path key) {
    try {
      Files.writeString(certificate, pem("CERTIFICATE", store.getCertificate("test").getEncoded()));
      Files.writeString(key, pem("PRIVATE KEY", store.getKey("test", PASSWORD).getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String kind, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  /** A client's side of TLS on this connection, without a handshake yet; any server will do. */
  public static SSLSocket clientOfAnyServer(Socket socket)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new AnyServer()}, new SecureRandom());
    return (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", 25, true);
  }

  /** Extended, so that Java does not look at the signatures of the chain either. */
  private static final class AnyServer extends X509ExtendedTrustManager {
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
