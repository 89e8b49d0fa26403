package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.config.name.Fingerprint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * A short name for a seed, by which a person sees whether two filters have the same one. The seed
 * itself is secret and has 128 bits: no digest leads back to it. Pure.
 */
final class SeedId {

  private static final byte[] PURPOSE = "bloomgate seed id".getBytes(US_ASCII);

  private static final int SHOWN_OCTETS = 4;

  private SeedId() {}

  /** Eight hexadecimal digits. */
  static String of(Keying keying) {
    MessageDigest sha = Fingerprint.sha256();
    sha.update(PURPOSE);
    sha.update(
        ByteBuffer.allocate(2 * Long.BYTES)
            .putLong(keying.seedHigh())
            .putLong(keying.seedLow())
            .flip());
    return HexFormat.of().formatHex(sha.digest(), 0, SHOWN_OCTETS);
  }
}
