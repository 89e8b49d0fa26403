package io.bloomgate.blocklists.decision;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import java.util.Optional;

/**
 * The key that the argument of HELO or EHLO gives (rules of decision in gateway/README.md): a
 * domain, or the address of a literal (RFC 5321 section 4.1.3); a single label gives none, a broken
 * name what can be read of it ({@link DomainName#asked}). Pure.
 */
public final class HeloKeys {

  private static final String IPV6_TAG = "IPv6:";

  private HeloKeys() {}

  /** The key, if the text gives one. */
  public static Optional<ListKey> parse(String helo) {
    if (helo.startsWith("[") && helo.endsWith("]")) {
      return literal(helo.substring(1, helo.length() - 1));
    }
    return DomainName.asked(helo).map(ListKey.class::cast);
  }

  /** The address of a literal, or one without brackets, which is no literal. */
  public static Optional<IpAddress> address(String helo) {
    if (!mayBeAddress(helo)) {
      return Optional.empty();
    }
    return helo.startsWith("[")
        ? parse(helo).filter(IpAddress.class::isInstance).map(IpAddress.class::cast)
        : IpAddress.parse(helo).toOptional();
  }

  /** Nearly every HELO is a name, which needs no try to read it as an address. */
  private static boolean mayBeAddress(String helo) {
    int last = helo.isEmpty() ? 0 : helo.charAt(helo.length() - 1);
    return last == ']' || (last >= '0' && last <= '9') || helo.indexOf(':') >= 0;
  }

  private static Optional<ListKey> literal(String text) {
    boolean tagged = text.regionMatches(true, 0, IPV6_TAG, 0, IPV6_TAG.length());
    return IpAddress.parse(tagged ? text.substring(IPV6_TAG.length()) : text)
        .toOptional()
        .filter(address -> tagged || address.isV4())
        .map(ListKey.class::cast);
  }
}
