package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.ForwardPath;
import io.bloomgate.gateway.smtp.ReversePath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keyed hashes (HMAC-SHA-256, 128 bits of it) by which {@link AnswerMemory} knows senders,
 * recipients and contents, so that its file names nobody. Immutable; pure.
 */
final class AnswerKeys {

  /** Octets of the secret. */
  static final int SECRET_OCTETS = 32;

  private static final byte PLACE = 1;
  private static final byte CONTENT = 2;
  private static final byte SENDER = 3;

  private final byte[] secret;

  AnswerKeys(byte[] secret) {
    this.secret = secret.clone();
  }

  /** What the hashes are keyed with. */
  byte[] secret() {
    return secret.clone();
  }

  /** One sender's mail for one recipient. */
  AnswerMemory.Key place(ReversePath from, ForwardPath to) {
    return hash(PLACE, from.text().getBytes(StandardCharsets.UTF_8), to.text());
  }

  /** One content of one sender. */
  AnswerMemory.Key content(ReversePath from, byte[] sha256) {
    return hash(CONTENT, sha256, from.text());
  }

  /** One sender. */
  AnswerMemory.Key sender(ReversePath from) {
    return hash(SENDER, new byte[0], from.text());
  }

  private AnswerMemory.Key hash(byte what, byte[] one, String other) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(what);
      mac.update(one);
      // No path holds it (RFC 5321 section 4.1.2).
      mac.update((byte) 0);
      ByteBuffer hash = ByteBuffer.wrap(mac.doFinal(other.getBytes(StandardCharsets.UTF_8)));
      return new AnswerMemory.Key(hash.getLong(), hash.getLong());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
