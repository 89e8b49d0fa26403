package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.settings.FleetKeyFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that all nodes of a fleet know and nobody else: {@code fleet.secret_file}, read once
 * at start. A key for one purpose is the HMAC-SHA256 (RFC 2104) of the purpose with it, so that no
 * key says anything of another one. Immutable.
 */
public final class FleetSecret {

  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec secret;

  private FleetSecret(String secret) {
    this.secret = new SecretKeySpec(secret.getBytes(US_ASCII), ALGORITHM);
  }

  /**
   * Reads the secret.
   *
   * @param file one line of at least 16 characters
   */
  public static FleetSecret read(Path file) throws IOException {
    return new FleetSecret(FleetKeyFiles.secret(file));
  }

  /** 32 octets for this purpose, the same on all nodes. */
  public byte[] key(String purpose) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(secret);
      return mac.doFinal(purpose.getBytes(US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
  }

  /** The seed of indexes and filters: all nodes build the same of the same entries. */
  public Keying seed() {
    ByteBuffer key = ByteBuffer.wrap(key("bloomgate filter seed 1"));
    return KeyHash.keying(key.getLong(), key.getLong());
  }

  /** Returns a text without the secret. */
  @Override
  public String toString() {
    return "FleetSecret[secret]";
  }
}
