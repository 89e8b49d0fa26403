package io.bloomgate.config.settings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.pem.PemBlock;
import io.bloomgate.config.settings.SecretFile.UnusableException;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/**
 * Reads the files with keys of a fleet: PEM of PKCS#8 (RFC 8410) and of the public key (RFC 5480),
 * as {@code openssl genpkey -algorithm ed25519} writes them too, the common secret, and the
 * certificates of authorities. Called at the start, when Redis is connected to, and by {@link
 * SettingsFile}.
 */
public final class FleetKeyFiles {

  private static final String ALGORITHM = "Ed25519";
  private static final String PRIVATE = "PRIVATE KEY";
  private static final String PUBLIC = "PUBLIC KEY";

  /** No bundle of authorities comes near it. */
  private static final int MOST_OCTETS_OF_AUTHORITIES = 1 << 22;

  /** Characters of a secret that nobody guesses. */
  private static final int LEAST_CHARACTERS = 16;

  private FleetKeyFiles() {}

  /** Reads the key of the leader, which only its owner and its group may read. */
  public static PrivateKey privateKey(Path file) throws UnusableException {
    byte[] der = der(file, PRIVATE, PUBLIC, SecretFile.text(file));
    try {
      return KeyFactory.getInstance(ALGORITHM).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw notAKey(file, PRIVATE);
    }
  }

  /** Reads the key that followers check with. */
  public static PublicKey publicKey(Path file) throws UnusableException {
    String text = new String(SecretFile.octets(file, SecretFile.MOST_OCTETS, false), US_ASCII);
    byte[] der = der(file, PUBLIC, PRIVATE, text);
    try {
      return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException e) {
      throw notAKey(file, PUBLIC);
    }
  }

  /** Reads the secret that all nodes have in common. */
  public static String secret(Path file) throws UnusableException {
    String secret = SecretFile.read(file);
    if (secret.length() < LEAST_CHARACTERS) {
      throw new UnusableException(
          file,
          "it has fewer than "
              + LEAST_CHARACTERS
              + " characters; `bloomgate fleet key FILE` makes FILE.secret");
    }
    return secret;
  }

  /** Reads the certificates of authorities, PEM or DER. */
  public static Collection<? extends Certificate> authorities(Path file) throws UnusableException {
    byte[] octets = SecretFile.octets(file, MOST_OCTETS_OF_AUTHORITIES, false);
    try {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(octets));
      if (!found.isEmpty()) {
        return found;
      }
    } catch (CertificateException e) {
      // The same is wrong with it.
    }
    throw new UnusableException(file, "it holds no certificate");
  }

  private static byte[] der(Path file, String kind, String other, String text)
      throws UnusableException {
    List<PemBlock> blocks = PemBlock.of(text);
    try {
      for (PemBlock block : blocks) {
        if (block.label().equals(kind)) {
          return Base64.getMimeDecoder().decode(block.base64());
        }
      }
    } catch (IllegalArgumentException e) {
      throw notAKey(file, kind);
    }
    if (blocks.stream().anyMatch(block -> block.label().equals(other))) {
      throw new UnusableException(
          file,
          kind.equals(PUBLIC)
              ? "it holds a PRIVATE KEY, which belongs to the leader alone; name its file .pub here"
              : "it holds a PUBLIC KEY; name the file of the private key, without .pub");
    }
    throw notAKey(file, kind);
  }

  private static UnusableException notAKey(Path file, String kind) {
    return new UnusableException(
        file, "it is no Ed25519 " + kind + " in PEM; `bloomgate fleet key FILE` makes a pair");
  }
}
