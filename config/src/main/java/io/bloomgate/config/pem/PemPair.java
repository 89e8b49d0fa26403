package io.bloomgate.config.pem;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A certificate chain and its key, read from PEM files (RFC 7468). Read by the gateway at start, at
 * each reload and when the files change, and by {@code config validate}; every error names the file
 * and says what to do.
 *
 * @param chain the gateway's own certificate first
 */
public record PemPair(List<X509Certificate> chain, PrivateKey key) {

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
      String what =
          " holds no certificate; it must have a block BEGIN CERTIFICATE, the gateway's own first";
      throw new PemException(setting + ": " + file + what);
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
    return "%s: the key %s does not belong to the first certificate in %s"
        .formatted(files.setting(), files.key(), files.certificate());
  }

  /**
   * Reads a private key in any form that certificate tools write: PKCS #8 (RFC 5958), PKCS #1 for
   * RSA (RFC 8017), SEC 1 for elliptic curves (RFC 5915). The JDK knows the first only, so the
   * others are wrapped. Used by {@link PemPair}; without state.
   *
   * @param setting that names the file
   * @param file with a key, and perhaps certificates
   */
  private record PrivateKeys(String setting, Path file) {

    private static final String CONVERT = "openssl pkcs8 -topk8 -nocrypt -in KEY -out NEWKEY";
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");

    private static final byte[] RSA =
        Der.sequence(Der.oid("1.2.840.113549.1.1.1"), new byte[] {5, 0});
    private static final byte[] EC_PUBLIC_KEY = Der.oid("1.2.840.10045.2.1");

    /** The curves that the JDK knows: secp256r1, secp384r1 and secp521r1. */
    private static final List<byte[]> CURVES =
        List.of(Der.oid("1.2.840.10045.3.1.7"), Der.oid("1.3.132.0.34"), Der.oid("1.3.132.0.35"));

    /**
     * The first key of the file.
     *
     * @throws PemException when there is none, or none that can be read
     */
    PrivateKey read() throws PemException {
      for (PemBlock block : PemBlock.readAll(setting, file)) {
        if (block.label().endsWith("PRIVATE KEY")) {
          return parse(block);
        }
      }
      throw fault(" holds no key; it must have a block BEGIN PRIVATE KEY", null);
    }

    private PrivateKey parse(PemBlock block) throws PemException {
      if (block.base64().contains("ENCRYPTED")) {
        throw encrypted(); // the old form, with a header Proc-Type (RFC 1421 section 4.6.1.1)
      }
      return switch (block.label()) {
        case "PRIVATE KEY" -> pkcs8(block.octets(setting, file));
        case "RSA PRIVATE KEY" -> pkcs8(wrap(RSA, block.octets(setting, file)));
        case "EC PRIVATE KEY" -> sec1(block.octets(setting, file));
        case "ENCRYPTED PRIVATE KEY" -> throw encrypted();
        default ->
            throw fault(" is a " + block.label() + "; convert it to PKCS #8: " + CONVERT, null);
      };
    }

    private PemException encrypted() {
      return fault(" is encrypted; write it without a password: " + CONVERT, null);
    }

    private PemException fault(String what, @Nullable Throwable cause) {
      return new PemException(setting + ": " + file + what, cause);
    }

    /** RFC 5915 section 3: the curve is in the element [0], if the writer put it there. */
    private PrivateKey sec1(byte[] der) throws PemException {
      for (byte[] curve : CURVES) {
        byte[] named = Der.value(Der.EXPLICIT, curve);
        if (new String(der, ISO_8859_1).contains(new String(named, ISO_8859_1))) {
          return pkcs8(wrap(Der.sequence(EC_PUBLIC_KEY, curve), der));
        }
      }
      throw fault(
          " is damaged, or does not name its curve; convert it to PKCS #8: " + CONVERT, null);
    }

    private static byte[] wrap(byte[] algorithm, byte[] key) {
      return Der.sequence(Der.integer(0), algorithm, Der.value(Der.OCTET_STRING, key));
    }

    private PrivateKey pkcs8(byte[] der) throws PemException {
      PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
      InvalidKeySpecException last = new InvalidKeySpecException("no algorithm");
      for (String algorithm : ALGORITHMS) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(spec);
        } catch (InvalidKeySpecException e) {
          last = e; // a key of another algorithm
        } catch (GeneralSecurityException e) {
          throw new PemException(setting + ": " + algorithm + " is not available", e);
        }
      }
      throw fault(" is damaged, or neither RSA, EC nor Ed25519", last);
    }
  }
}
