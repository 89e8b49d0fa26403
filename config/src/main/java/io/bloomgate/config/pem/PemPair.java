package io.bloomgate.config.pem;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate chain and its key, read from PEM files (RFC 7468). Read by the gateway at start, at
 * each reload and when the files change, and by {@code config validate}; every error names the file
 * and says what to do.
 *
 * @param chain the gateway's own certificate first
 */
public record PemPair(List<X509Certificate> chain, PrivateKey key) {

  public PemPair {
    chain = List.copyOf(chain);
  }

  /**
   * Reads both files, which may be one.
   *
   * @throws PemException when they are unreadable, of an unknown form, or do not belong together
   */
  public static PemPair read(PemFiles files) throws PemException {
    List<X509Certificate> chain = chain(files);
    PrivateKey key = new PrivateKeys(files.keySetting(), files.key()).read();
    requirePair(chain.getFirst().getPublicKey(), key, files);
    return new PemPair(chain, key);
  }

  /** Blocks of other kinds are passed over: some programs want the key in the same file. */
  private static List<X509Certificate> chain(PemFiles files) throws PemException {
    String setting = files.certificateSetting();
    Path file = files.certificate();
    List<X509Certificate> chain = new ArrayList<>();
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      for (PemBlock block : PemBlock.readAll(setting, file)) {
        if (block.label().equals("CERTIFICATE")) {
          byte[] der = block.octets(setting, file);
          chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
        }
      }
    } catch (GeneralSecurityException e) {
      throw new PemException(setting + ": " + file + ": " + e.getMessage(), e);
    }
    if (chain.isEmpty()) {
      throw new PemException(
          setting
              + ": "
              + file
              + " holds no certificate; it must have a block BEGIN CERTIFICATE, the gateway's own"
              + " first");
    }
    return chain;
  }

  /** Signs with the one and verifies with the other: true for every algorithm. */
  private static void requirePair(PublicKey publicKey, PrivateKey privateKey, PemFiles files)
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
      throw new PemException(notAPair(files), e);
    } catch (GeneralSecurityException e) {
      throw new PemException(
          files.setting() + ": " + files.key() + " cannot sign: " + e.getMessage(), e);
    }
    throw new PemException(notAPair(files));
  }

  private static String notAPair(PemFiles files) {
    return files.setting()
        + ": the key "
        + files.key()
        + " does not belong to the first certificate in "
        + files.certificate();
  }
}
