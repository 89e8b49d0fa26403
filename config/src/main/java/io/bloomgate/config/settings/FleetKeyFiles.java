package io.bloomgate.config.settings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.settings.SecretFile.UnusableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
    byte[] octets;
    try (var in = Files.newInputStream(file)) {
      octets = in.readNBytes(SecretFile.MOST_OCTETS);
    } catch (IOException e) {
      throw new UnusableException(
          file, Files.exists(file) ? "it cannot be read" : "there is no such file");
    }
    byte[] der = der(file, PUBLIC, PRIVATE, new String(octets, US_ASCII));
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
    try (InputStream in = Files.newInputStream(file)) {
      Collection<? extends Certificate> found =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (found.isEmpty()) {
        throw new UnusableException(file, "it holds no certificate");
      }
      return found;
    } catch (UnusableException e) {
      throw e;
    } catch (CertificateException e) {
      throw new UnusableException(file, "it holds no certificate");
    } catch (IOException e) {
      throw new UnusableException(
          file, Files.exists(file) ? "it cannot be read" : "there is no such file");
    }
  }

  private static byte[] der(Path file, String kind, String other, String text)
      throws UnusableException {
    String begin = begin(kind);
    int from = text.indexOf(begin);
    int to = text.indexOf("-----END " + kind + "-----");
    if (from < 0 && text.contains(begin(other))) {
      throw new UnusableException(
          file,
          kind.equals(PUBLIC)
              ? "it holds a PRIVATE KEY, which belongs to the leader alone; name its file .pub here"
              : "it holds a PUBLIC KEY; name the file of the private key, without .pub");
    }
    if (from < 0 || to < from) {
      throw notAKey(file, kind);
    }
    try {
      return Base64.getMimeDecoder().decode(text.substring(from + begin.length(), to));
    } catch (IllegalArgumentException e) {
      throw notAKey(file, kind);
    }
  }

  private static String begin(String kind) {
    return "-----BEGIN " + kind + "-----";
  }

  private static UnusableException notAKey(Path file, String kind) {
    return new UnusableException(
        file, "it is no Ed25519 " + kind + " in PEM; `bloomgate fleet key FILE` makes a pair");
  }
}
