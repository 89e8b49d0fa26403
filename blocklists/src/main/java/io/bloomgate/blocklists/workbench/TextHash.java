package io.bloomgate.blocklists.workbench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Subject;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * Hashes of keys that other programs can make as well: the first 8 octets, big-endian, of SHA-256
 * over the 16 octets of the seed and the canonical text of the key in UTF-8. For filters that leave
 * the gateway; ten times slower than {@link io.bloomgate.blocklists.entry.KeyHash}. Used on one
 * thread.
 */
final class TextHash {

  /** Version of the values in headers, where that of the gateway's own hash is 1. */
  static final int VERSION = 2;

  private final byte[] seed = new byte[2 * Long.BYTES];
  private final MessageDigest digest = Fingerprint.sha256();

  TextHash(long seedHigh, long seedLow) {
    ByteBuffer.wrap(seed).putLong(seedHigh).putLong(seedLow);
  }

  /** The hash of a key. */
  long subject(Subject subject) {
    digest.update(seed);
    return ByteBuffer.wrap(digest.digest(subject.written().getBytes(UTF_8))).getLong();
  }
}
