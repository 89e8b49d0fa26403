package io.bloomgate.blocklists.campaign;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 of the JDK, begun with what it is of. One object a kind of value, asked by sessions on
 * any thread.
 */
final class Sha256 {

  /** Never changed, only copied: that is cheaper than to ask the providers for another one. */
  private final MessageDigest begun;

  private final byte[] tag;

  /** The last one of {@link #of}, begun again, unless a thread has it. */
  private final AtomicReference<@Nullable MessageDigest> unused = new AtomicReference<>();

  /**
   * Digests that have taken the tag, so that no subject has the value of a body.
   *
   * @param tag part of the values that are exchanged; never changes
   */
  Sha256(String tag) {
    this.tag = tag.getBytes(US_ASCII);
    try {
      begun = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
    begun.update(this.tag);
  }

  /** The value of octets behind the tag. */
  byte[] of(byte[] octets) {
    MessageDigest spare = unused.getAndSet(null);
    MessageDigest one = spare == null ? begin() : spare;
    byte[] value = one.digest(octets);
    one.update(tag);
    unused.setRelease(one);
    return value;
  }

  /** One that has taken the tag. */
  MessageDigest begin() {
    try {
      return (MessageDigest) begun.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the SHA-256 of the JDK can be copied", e);
    }
  }
}
