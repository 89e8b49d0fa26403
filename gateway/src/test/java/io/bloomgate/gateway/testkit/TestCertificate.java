package io.bloomgate.gateway.testkit;

import io.bloomgate.config.pem.Der;
import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.security.auth.x500.X500Principal;

/** A self-signed certificate for tests. */
public final class TestCertificate {

  private static final Map<List<String>, TestCertificate> SHARED = new ConcurrentHashMap<>();

  private final PrivateKey key;
  private final X509Certificate certificate;

  private TestCertificate(PrivateKey key, X509Certificate certificate) {
    this.key = key;
    this.certificate = certificate;
  }

  /** One for this name that all tests of this process have in common. */
  public static TestCertificate shared(String subjectAlternative) {
    return shared(subjectAlternative, "EC");
  }

  /** The same with this kind of key: EC, RSA or Ed25519. */
  public static TestCertificate shared(String subjectAlternative, String algorithm) {
    return SHARED.computeIfAbsent(
        List.of(subjectAlternative, algorithm), _ -> create(subjectAlternative, algorithm));
  }

  /**
   * Makes one.
   *
   * @param subjectAlternative such as {@code dns:localhost,ip:127.0.0.1}
   */
  public static TestCertificate create(String subjectAlternative) {
    return create(subjectAlternative, "EC");
  }

  /** One whose key may by its key usage encrypt and not sign, as recipes of old had it. */
  public static TestCertificate createOnlyToEncrypt(String subjectAlternative) {
    byte[] keyEncipherment = {Der.BIT_STRING, 2, 5, 0x20};
    return create(subjectAlternative, "RSA", extension("2.5.29.15", keyEncipherment));
  }

  private static TestCertificate create(
      String subjectAlternative, String algorithm, byte[]... more) {
    try {
      KeyPair keys = algorithm.equals("RSA") ? rsa() : keys(algorithm);
      byte[] signature =
          switch (algorithm) {
            case "EC" -> Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
            case "RSA" -> Der.sequence(Der.oid("1.2.840.113549.1.1.11"), new byte[] {5, 0});
            default -> Der.sequence(Der.oid("1.3.101.112"));
          };
      byte[] subject = new X500Principal("CN=test").getEncoded();
      Instant now = Instant.now();
      byte[][] extensions = Arrays.copyOf(more, more.length + 1);
      extensions[more.length] = extension("2.5.29.17", names(subjectAlternative));
      byte[] content =
          Der.sequence(
              Der.value(Der.EXPLICIT, Der.integer(2)),
              Der.integer(new BigInteger(100, new SecureRandom())),
              signature,
              subject,
              Der.sequence(Der.time(now), Der.time(now.plus(Duration.ofDays(30)))),
              subject,
              keys.getPublic().getEncoded(),
              Der.value(Der.EXPLICIT + 3, Der.sequence(extensions)));
      Signature signer =
          Signature.getInstance(
              switch (algorithm) {
                case "EC" -> "SHA256withECDSA";
                case "RSA" -> "SHA256withRSA";
                default -> algorithm;
              });
      signer.initSign(keys.getPrivate());
      signer.update(content);
      byte[] whole = Der.sequence(content, signature, Der.bits(signer.sign()));
      return new TestCertificate(
          keys.getPrivate(),
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(whole)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair keys(String algorithm) throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("EC")) {
      generator.initialize(new ECGenParameterSpec("secp256r1"));
    }
    return generator.generateKeyPair();
  }

  /** Always the same one: to find primes takes seconds. */
  private static KeyPair rsa() throws GeneralSecurityException {
    BigInteger p =
        new BigInteger(
            "ce40581f45916f48963f26cee52d4547ad4de0f10c9e99b54f14b55438991e44dadcaf4f266e6e86"
                + "2e6c68835a49328ae91e154626b9aeb8a2dbb1e72f8790904d40d005db1069f9f50b8ca3b67d2af8"
                + "4587d6a0f4563d247ed5fa363cbd28a601478e04eb079ddc34ffbf3dc2ea3a0962bb27d2c8e8281e"
                + "1f7edd76c13b1d91",
            16);
    BigInteger q =
        new BigInteger(
            "b51220c7a7b4806fa5d512dac4ba12350b2375afd415aca253ac2fd4b772961d71efa4744101c174"
                + "3be0aec5c9261969730cb2d55055c9450aee6448d80aad80f676581a8a784a2652ceec8e9ecbd541"
                + "6b2570645fbe021fe556a4a8e0fd63db6d33195c499c95253837741e78af38d3ad6f55328a4a2593"
                + "226166a1d981327b",
            16);
    BigInteger p1 = p.subtract(BigInteger.ONE);
    BigInteger q1 = q.subtract(BigInteger.ONE);
    BigInteger n = p.multiply(q);
    BigInteger e = BigInteger.valueOf(65_537);
    BigInteger d = e.modInverse(p1.multiply(q1));
    KeyFactory factory = KeyFactory.getInstance("RSA");
    return new KeyPair(
        factory.generatePublic(new RSAPublicKeySpec(n, e)),
        factory.generatePrivate(
            new RSAPrivateCrtKeySpec(n, e, d, p, q, d.mod(p1), d.mod(q1), q.modInverse(p))));
  }

  private static byte[] extension(String oid, byte[] content) {
    return Der.sequence(Der.oid(oid), Der.value(Der.OCTET_STRING, content));
  }

  /** RFC 5280 section 4.2.1.6: [1] is rfc822Name, [2] dNSName, [7] iPAddress. */
  private static byte[] names(String subjectAlternative) {
    return Der.sequence(
        Stream.of(subjectAlternative.split(","))
            .map(name -> {
              String value = name.substring(name.indexOf(':') + 1);
              return name.startsWith("ip:")
                  ? Der.value(Der.IMPLICIT + 7, InetAddress.ofLiteral(value).getAddress())
                  : Der.ascii(Der.IMPLICIT + (name.startsWith("email:") ? 1 : 2), value);
            })
            .toArray(byte[][]::new));
  }

  /** For the gateway's listeners, by this engine. */
  public TlsContext server(TlsEngine engine) {
    try {
      return TlsContext.server(engine, key, List.of(certificate));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public X509Certificate certificate() {
    return certificate;
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
      KeyStore store = empty();
      store.setKeyEntry("test", key, new char[0], new X509Certificate[] {certificate});
      keys.init(store, new char[0]);
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
      KeyStore trusted = empty();
      trusted.setCertificateEntry("test", certificate);
      trust.init(trusted);
      return trust;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      return store;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Writes certificate chain and key as the settings want them. */
  public void writePem(Path certificate, Path key) {
    try {
      Files.writeString(certificate, PemBlock.text("CERTIFICATE", this.certificate.getEncoded()));
      Files.writeString(key, PemBlock.text("PRIVATE KEY", this.key.getEncoded()));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A client's side of TLS on this connection, without a handshake yet; any server will do. */
  public static SSLSocket clientOfAnyServer(Socket socket)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new AnyServer()}, new SecureRandom());
    return (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", 25, true);
  }

  /** Extended, so that Java does not look at the signatures of the chain either. */
  public static class AnyServer extends X509ExtendedTrustManager {

    /** Done when a server shows its certificate. */
    protected void isAsked() {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      isAsked();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      isAsked();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      isAsked();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
