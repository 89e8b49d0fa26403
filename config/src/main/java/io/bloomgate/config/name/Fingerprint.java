package io.bloomgate.config.name;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 value of something that a mail carries: an attachment, or the normalised text of a
 * subject or a body. What it is of, the check says that asks for it. Made by parsers of lists and
 * by readers of mails, on any thread. Immutable; the text is 64 lower-case hexadecimal digits.
 */
public final class Fingerprint implements Subject, ListKey {

  /** Octets of the value (FIPS 180-4). */
  public static final int OCTETS = 32;

  private static final HexFormat HEX = HexFormat.of();

  private final byte[] octets;

  private Fingerprint(byte[] octets) {
    this.octets = octets;
  }

  /**
   * Makes a fingerprint of a value that was computed.
   *
   * @param value {@link #OCTETS} octets, which are copied
   */
  public static Fingerprint of(byte[] value) {
    if (value.length != OCTETS) {
      throw new IllegalArgumentException("a fingerprint has " + OCTETS + " octets");
    }
    return new Fingerprint(value.clone());
  }

  /** The value of a text in UTF-8. */
  public static Fingerprint ofText(String text) {
    return new Fingerprint(sha256().digest(text.getBytes(UTF_8)));
  }

  /** A digest that has taken nothing. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Reads 64 hexadecimal digits, in upper or lower case. */
  public static Parsed<Fingerprint> parse(String text) {
    return isSpelled(text)
        ? Parsed.ok(new Fingerprint(HEX.parseHex(text)))
        : Parsed.bad("no SHA-256 value: 64 hexadecimal digits are expected");
  }

  /** True for a text that can be nothing else: no domain has a label of 64 octets. */
  static boolean isSpelled(String text) {
    return text.length() == 2 * OCTETS && text.chars().allMatch(HexFormat::isHexDigit);
  }

  /** The octets themselves, for hashing; they must not be changed. */
  public byte[] octets() {
    return octets;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint that && Arrays.equals(octets, that.octets);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(octets);
  }

  @Override
  public String toString() {
    return HEX.formatHex(octets);
  }
}
