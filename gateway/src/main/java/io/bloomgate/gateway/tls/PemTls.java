package io.bloomgate.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate chain with its key, ready for handshakes. Read from PEM files (RFC 7468) at start,
 * at each reload and when the files change; every error names the file and says what to do.
 *
 * @param context with certificate and key
 * @param chain the gateway's own certificate first
 * @param warnings about the files, a sentence each; the certificate is still used
 */
public record PemTls(SSLContext context, List<X509Certificate> chain, List<String> warnings) {

  /** The key store lives in memory only. */
  private static final char[] NO_PASSWORD = new char[0];

  /** Clients' TLS sessions that can be resumed; each is some kilobytes of heap. */
  static final int MAX_CACHED_SESSIONS = 1_000;

  public PemTls {
    chain = List.copyOf(chain);
    warnings = List.copyOf(warnings);
  }

  /** The gateway's own certificate. */
  public X509Certificate leaf() {
    return chain.getFirst();
  }

  /**
   * Loads both files, which may be one.
   *
   * @throws PemException when they are unreadable, of an unknown form, or do not belong together
   */
  public static PemTls load(Path certificateFile, Path keyFile, SecureRandom random)
      throws PemException {
    List<X509Certificate> chain = chain(certificateFile);
    PrivateKey key = PrivateKeys.read(keyFile);
    requirePair(chain.getFirst().getPublicKey(), key, certificateFile, keyFile);
    try {
      return of(chain, key, KeyFileRules.warnings(keyFile), random);
    } catch (GeneralSecurityException | IOException e) {
      throw new PemException("tls: " + certificateFile + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Of a pair that is known to belong together. */
  static PemTls of(
      List<X509Certificate> chain, PrivateKey key, List<String> warnings, SecureRandom random)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    store.setKeyEntry("gateway", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, random);
    context.getServerSessionContext().setSessionCacheSize(MAX_CACHED_SESSIONS);
    return new PemTls(context, chain, warnings);
  }

  /** Blocks of other kinds are passed over: some programs want the key in the same file. */
  private static List<X509Certificate> chain(Path file) throws PemException {
    List<X509Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (PemBlock block : PemBlock.readAll("tls.certificate", file)) {
        if (block.label().equals("CERTIFICATE")) {
          byte[] der = block.octets("tls.certificate", file);
          chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
        }
      }
    } catch (GeneralSecurityException e) {
      throw new PemException("tls.certificate: " + file + ": " + e.getMessage(), e);
    }
    if (chain.isEmpty()) {
      throw new PemException(
          "tls.certificate: "
              + file
              + " holds no certificate; it must have a block BEGIN CERTIFICATE, the gateway's own"
              + " first");
    }
    return chain;
  }

  /** Signs with the one and verifies with the other: true for every algorithm. */
  private static void requirePair(
      PublicKey publicKey, PrivateKey privateKey, Path certificateFile, Path keyFile)
      throws PemException {
    String algorithm =
        switch (privateKey.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    try {
      byte[] text = "bloomgate".getBytes(StandardCharsets.US_ASCII);
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(privateKey);
      signer.update(text);
      byte[] signature = signer.sign();
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(publicKey);
      verifier.update(text);
      if (verifier.verify(signature)) {
        return;
      }
    } catch (InvalidKeyException e) {
      throw new PemException(notAPair(certificateFile, keyFile), e);
    } catch (GeneralSecurityException e) {
      throw new PemException("tls: " + keyFile + " cannot sign: " + e.getMessage(), e);
    }
    throw new PemException(notAPair(certificateFile, keyFile));
  }

  private static String notAPair(Path certificateFile, Path keyFile) {
    return "tls: the key "
        + keyFile
        + " does not belong to the first certificate in "
        + certificateFile;
  }
}
