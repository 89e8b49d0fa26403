package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.fleet.published.FleetSecret;
import io.bloomgate.blocklists.operator.RecordLink;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Proofs that a node of the fleet wrote what is in Redis: records of the stream, heartbeats and
 * places, questions and answers. With {@code fleet.secret_file} each has an HMAC-SHA256 (RFC 2104)
 * of its text, so that a client of Redis without the secret can write none; without, any client
 * can. Immutable.
 */
final class RecordSeal {

  private static final String ALGORITHM = "HmacSHA256";
  private static final String PURPOSE = "bloomgate entries 1";
  private static final String TEXT = "r";

  private static final String LINK = "l";
  private static final String LINK_PROOF = "p";
  private static final Pattern WORD =
      Pattern.compile("([!-~&&[^.]]{1,64})\\.([0-9]{1,18})\\.([0-9a-f]{32})");

  /** The field of a proof. */
  static final String PROOF = "m";

  private final @Nullable SecretKeySpec key;

  private RecordSeal(@Nullable SecretKeySpec key) {
    this.key = key;
  }

  /**
   * Reads the secret.
   *
   * @param secretFile {@code null} for none
   */
  static RecordSeal of(@Nullable Path secretFile) throws IOException {
    return new RecordSeal(
        secretFile == null
            ? null
            : new SecretKeySpec(FleetSecret.read(secretFile).key(PURPOSE), ALGORITHM));
  }

  /** True when records need a proof. */
  boolean isStrict() {
    return key != null;
  }

  /** The fields of a record; older releases ask for the proof of the text alone. */
  Map<String, String> fields(String text, RecordLink link) {
    return key == null
        ? Map.of(TEXT, text)
        : Map.of(
            TEXT,
            text,
            PROOF,
            proof(text),
            LINK,
            link.text(),
            LINK_PROOF,
            proof("link", link.text(), text));
  }

  /** The link of a record; empty for none that is proven. */
  Optional<RecordLink> link(Map<String, String> fields) {
    String link = fields.getOrDefault(LINK, "");
    return isProof(fields.getOrDefault(LINK_PROOF, ""), "link", link, fields.getOrDefault(TEXT, ""))
        ? RecordLink.parse(link)
        : Optional.empty();
  }

  /** True for a record that says no link, as those of older releases. */
  static boolean isWithoutLink(Map<String, String> fields) {
    return !fields.containsKey(LINK);
  }

  /** The word of a stream that begins at this time of Redis; older releases take any word. */
  String word(String random, long atMillis) {
    return key == null ? random : random + "." + atMillis + "." + wordProof(random, atMillis);
  }

  /** When the stream of this word began; empty when no node of this fleet made the word. */
  OptionalLong began(String word) {
    Matcher found = WORD.matcher(word);
    if (!found.matches()) {
      return OptionalLong.empty();
    }
    long at = Long.parseLong(found.group(2));
    byte[] proof = wordProof(found.group(1), at).getBytes(US_ASCII);
    return MessageDigest.isEqual(found.group(3).getBytes(US_ASCII), proof)
        ? OptionalLong.of(at)
        : OptionalLong.empty();
  }

  /** Half of a proof: each entry of each node keeps the word. */
  private String wordProof(String random, long atMillis) {
    String proof = proof("stream", random, Long.toString(atMillis));
    return proof.substring(0, proof.length() / 2);
  }

  /** The text of a record, proven or not; {@code null} for none. */
  static @Nullable String text(Map<String, String> fields) {
    return fields.get(TEXT);
  }

  /** False when a proof is needed and this is none. */
  boolean isGenuine(Map<String, String> fields) {
    return isProof(fields.getOrDefault(PROOF, ""), fields.getOrDefault(TEXT, ""));
  }

  /** False when a proof is needed and this is none of these parts, in this order. */
  boolean isProof(String proof, String... parts) {
    return key == null
        || MessageDigest.isEqual(proof.getBytes(UTF_8), proof(parts).getBytes(US_ASCII));
  }

  /**
   * A proof; empty without a secret.
   *
   * @param parts of which only the last may have more than one line; the text of a record alone, or
   *     what it is, whose it is, and the text
   */
  String proof(String... parts) {
    if (key == null) {
      return "";
    }
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(String.join("\n", parts).getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HMAC-SHA256", e);
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "RecordSeal[secret]";
  }
}
