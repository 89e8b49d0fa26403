package io.bloomgate.config.name;

import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * The number of an autonomous system (RFC 6793), 32 bits: of those who announce networks. Lists
 * name them; tables say which one a network belongs to. Made by parsers of settings, lists and
 * tables, on any thread. Immutable; the text is {@code AS64500}.
 */
public record AsNumber(int bits) implements Subject, ListKey {

  private static final Pattern FORM = Pattern.compile("(?:(?i)AS)?([0-9]{1,10})");

  private static final long MOST = (1L << Integer.SIZE) - 1;

  /** Reads {@code AS64500} or {@code 64500}. Nobody has number 0 (RFC 7607). */
  public static Parsed<AsNumber> parse(String text) {
    var form = FORM.matcher(text);
    long number = form.matches() ? Long.parseLong(form.group(1)) : 0;
    return number == 0 || number > MOST
        ? Parsed.bad("no AS number: AS1 to AS" + MOST + " are expected")
        : Parsed.ok(new AsNumber((int) number));
  }

  /** The octets of the number in network order, for hashing. */
  public byte[] octets() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(bits).array();
  }

  @Override
  public String toString() {
    return "AS" + Integer.toUnsignedString(bits);
  }
}
