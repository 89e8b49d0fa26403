package io.bloomgate.gateway;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Reads the certificate chain and key of {@code tls} from PEM files (RFC 7468). Called at start and
 * at each reload; every error names the file and says what to do.
 *
 * @param context ready for handshakes
 * @param leaf the gateway's own certificate, for its expiry
 */
record PemTls(SSLContext context, X509Certificate leaf) {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
  private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

  /** The key store lives in memory only. */
  private static final char[] NO_PASSWORD = new char[0];

  /** The files cannot be used; the message is fit for the operator. */
  static final class PemException extends Exception {
    private static final long serialVersionUID = 1L;

    PemException(String message) {
      super(message);
    }

    PemException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Loads both files.
   *
   * @throws PemException when they are unreadable, of an unknown form, or do not belong together
   */
  static PemTls load(Path certificateFile, Path keyFile, SecureRandom random) throws PemException {
    List<X509Certificate> chain = chain(certificateFile);
    PrivateKey key = key(keyFile);
    X509Certificate leaf = chain.getFirst();
    requirePair(leaf.getPublicKey(), key, certificateFile, keyFile);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("gateway", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, random);
      return new PemTls(context, leaf);
    } catch (GeneralSecurityException | IOException e) {
      throw new PemException("tls: " + certificateFile + " cannot be used: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> chain(Path file) throws PemException {
    byte[] text = read("tls.certificate", file).getBytes(StandardCharsets.US_ASCII);
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text));
      List<X509Certificate> chain = found.stream().map(c -> (X509Certificate) c).toList();
      if (chain.isEmpty()) {
        throw new PemException(
            "tls.certificate: "
                + file
                + " holds no certificate; it must have a block BEGIN CERTIFICATE, the gateway's own"
                + " first");
      }
      return chain;
    } catch (GeneralSecurityException e) {
      throw new PemException("tls.certificate: " + file + ": " + e.getMessage(), e);
    }
  }

  private static PrivateKey key(Path file) throws PemException {
    Matcher block = BLOCK.matcher(read("tls.key", file));
    while (block.find()) {
      String label = block.group(1);
      if (label.equals("PRIVATE KEY")) {
        return privateKey(file, block.group(2));
      }
      if (label.endsWith("PRIVATE KEY")) {
        throw new PemException(otherForm(file, label));
      }
    }
    throw new PemException(
        "tls.key: " + file + " holds no key; it must have a block BEGIN PRIVATE KEY (PKCS #8)");
  }

  private static String otherForm(Path file, String label) {
    if (label.startsWith("ENCRYPTED")) {
      return "tls.key: "
          + file
          + " is encrypted; write it without a password: openssl pkcs8 -in KEY -out NEWKEY";
    }
    return "tls.key: "
        + file
        + " is a "
        + label
        + "; convert it to PKCS #8: openssl pkcs8 -topk8 -nocrypt -in KEY -out NEWKEY";
  }

  private static PrivateKey privateKey(Path file, String base64) throws PemException {
    PKCS8EncodedKeySpec spec;
    try {
      spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(base64));
    } catch (IllegalArgumentException e) {
      throw new PemException("tls.key: " + file + " is damaged: no Base64", e);
    }
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // A key of another algorithm.
      } catch (GeneralSecurityException e) {
        throw new PemException("tls.key: " + algorithm + " is not available", e);
      }
    }
    throw new PemException("tls.key: " + file + " is damaged, or neither RSA, EC nor Ed25519");
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

  private static String read(String setting, Path file) throws PemException {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new PemException(setting + ": cannot read " + file + " (" + e + ")", e);
    }
  }
}
