package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.smtp.ForwardPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keyed hashes (128 bits of HMAC-SHA-256) that {@link AnswerMemory} stores for client networks,
 * senders, recipients and contents, so that its file has no addresses. Immutable; pure.
 */
final class AnswerKeys {

  /** Octets of the secret. */
  static final int SECRET_OCTETS = 32;

  private static final byte PLACE = 1;
  private static final byte CONTENT = 2;
  private static final byte NETWORK = 3;

  private final byte[] secret;

  AnswerKeys(byte[] secret) {
    this.secret = secret.clone();
  }

  /** What the hashes are keyed with. */
  byte[] secret() {
    return secret.clone();
  }

  /** One sender's mail for one recipient. */
  AnswerMemory.Key place(AnswerMemory.Origin origin, ForwardPath to) {
    return hash(PLACE, origin.network(), origin.from().text(), octets(to.text()));
  }

  /** One content of one sender. */
  AnswerMemory.Key content(AnswerMemory.Origin origin, byte[] sha256) {
    return hash(CONTENT, origin.network(), origin.from().text(), sha256);
  }

  /** One client network. */
  AnswerMemory.Key network(IpAddress network) {
    return hash(NETWORK, network, "", new byte[0]);
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private AnswerMemory.Key hash(byte what, IpAddress network, String from, byte[] rest) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update(what);
      mac.update(
          ByteBuffer.allocate(2 * Long.BYTES)
              .putLong(network.high())
              .putLong(network.low())
              .array());
      mac.update(octets(from));
      // No path contains this character (RFC 5321 section 4.1.2).
      mac.update((byte) 0);
      ByteBuffer hash = ByteBuffer.wrap(mac.doFinal(rest));
      return new AnswerMemory.Key(hash.getLong(), hash.getLong());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }
}
