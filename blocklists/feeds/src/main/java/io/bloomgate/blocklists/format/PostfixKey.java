package io.bloomgate.blocklists.format;

import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Parsed;
import java.util.Locale;

/**
 * Client addresses as {@code access(5)} writes them: whole, as a network, or as their beginning up
 * to an octet ({@code 198.51.100}) or a group ({@code 2001:db8:1}). Pure.
 */
public final class PostfixKey {

  /** The reason why a network with host bits is no entry. */
  public static final String HOST_BITS = "host bits are set: Postfix skips this rule";

  private static final int V4_PARTS = 4;
  private static final int V6_PARTS = 8;

  private PostfixKey() {}

  /**
   * A network as {@code cidr_table(5)} reads it: Postfix skips a rule with host bits, so what it
   * would mean is no entry.
   */
  public static Parsed<IpPrefix> network(String key) {
    Parsed<IpPrefix> read = IpPrefix.parse(key);
    return read instanceof Parsed.Ok<IpPrefix>(var _, String warning)
            && IpPrefix.HOST_BITS_MASKED.equals(warning)
        ? Parsed.bad(HOST_BITS)
        : read;
  }

  /** The key with the beginning of an address made a network; other keys as they are. */
  public static String whole(String key) {
    boolean v6 = key.indexOf(':') >= 0;
    if (key.indexOf('@') >= 0
        || key.indexOf('/') >= 0
        || key.contains("::")
        || !(v6 || key.chars().allMatch(c -> (c >= '0' && c <= '9') || c == '.'))) {
      return key;
    }
    String[] parts = key.toLowerCase(Locale.ROOT).split(v6 ? ":" : "\\.", -1);
    int missing = (v6 ? V6_PARTS : V4_PARTS) - parts.length;
    if (missing <= 0) {
      return key;
    }
    return v6
        ? key + "::/" + 16 * parts.length
        : key + ".0".repeat(missing) + "/" + 8 * parts.length;
  }
}
