package io.bloomgate.blocklists.fleet.counts;

import io.bloomgate.blocklists.fleet.published.FleetSecret;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * What counting together needs of the fleet's secret. Read once at start. Immutable.
 *
 * @param seal of batches
 * @param copies seed of the hashes of copies of mails
 * @param likenesses seed of the likeness of texts
 */
public record CountKeys(SecretKey seal, long copies, long likenesses) {

  /**
   * Makes them.
   *
   * @param secretFile {@code fleet.secret_file}
   * @throws IOException when it cannot be used
   */
  public static CountKeys of(Path secretFile) throws IOException {
    FleetSecret secret = FleetSecret.read(secretFile);
    ByteBuffer seeds = ByteBuffer.wrap(secret.key("bloomgate count seeds 1"));
    return new CountKeys(
        new SecretKeySpec(secret.key("bloomgate counts 1"), "AES"),
        seeds.getLong(),
        seeds.getLong());
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return "CountKeys[secret]";
  }
}
