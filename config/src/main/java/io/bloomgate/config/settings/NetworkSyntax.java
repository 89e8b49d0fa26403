package io.bloomgate.config.settings;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Whether a text is an address literal or a network, strictly: four decimal numbers without leading
 * zeros, or IPv6 (RFC 4291, section 2.2) without zone. The lists' own parser ({@code IpPrefix})
 * reads the same texts later; this module may not import it. Pure: no name is ever looked up.
 */
final class NetworkSyntax {

  private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
  private static final Pattern IPV6_CHARACTERS = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  private static final Pattern LENGTH = Pattern.compile("0|[1-9][0-9]{0,2}");
  private static final int MAPPED_BITS = 96;

  private NetworkSyntax() {}

  /** The address, if the text is a literal of either family. */
  static Optional<InetAddress> address(String text) {
    boolean v4 = IPV4.matcher(text).matches();
    if (!v4 && !looksLikeIpv6(text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(v4 ? InetAddress.ofLiteral(text) : Inet6Address.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean looksLikeIpv6(String text) {
    if (!IPV6_CHARACTERS.matcher(text).matches() || text.indexOf(':') < 0) {
      return false;
    }
    String tail = text.substring(text.lastIndexOf(':') + 1);
    return tail.indexOf('.') < 0 || IPV4.matcher(tail).matches();
  }

  /** True for {@code ADDRESS} and {@code ADDRESS/LENGTH}. */
  static boolean isNetwork(String text) {
    int slash = text.indexOf('/');
    String host = slash < 0 ? text : text.substring(0, slash);
    if (address(host).isEmpty()) {
      return false;
    }
    if (slash < 0) {
      return true;
    }
    String length = text.substring(slash + 1);
    boolean v6 = host.indexOf(':') >= 0;
    return LENGTH.matcher(length).matches()
        && Integer.parseInt(length) <= (v6 ? 128 : 32)
        && (!v6 || !isMapped(host) || Integer.parseInt(length) >= MAPPED_BITS);
  }

  /** IPv4-mapped texts: the JDK gives an IPv4 address for them. */
  private static boolean isMapped(String host) {
    return address(host).map(a -> a.getAddress().length == 4).orElse(false);
  }

  /** True for {@code localhost} and literals of 127.0.0.0/8 and ::1. */
  static boolean isLoopback(String host) {
    return host.equalsIgnoreCase("localhost")
        || address(host).map(InetAddress::isLoopbackAddress).orElse(false);
  }

  /** True for loopback, private (RFC 1918, RFC 4193) and link-local literals. */
  static boolean isLocal(String host) {
    return isLoopback(host)
        || address(host)
            .map(a ->
                a.isLinkLocalAddress()
                    || (a.getAddress().length == 4 && a.isSiteLocalAddress())
                    || isUniqueLocal(a.getAddress()))
            .orElse(false);
  }

  private static boolean isUniqueLocal(byte[] octets) {
    return octets.length == 16 && (octets[0] & 0xfe) == 0xfc;
  }

  /** True for {@code 0.0.0.0} and {@code ::}. */
  static boolean isWildcard(String host) {
    return address(host).map(InetAddress::isAnyLocalAddress).orElse(false);
  }

  /** The same address whatever its notation; names are compared as they stand. */
  static boolean sameHost(String a, String b) {
    Optional<InetAddress> first = address(a);
    Optional<InetAddress> second = address(b);
    if (first.isPresent() && second.isPresent()) {
      return Arrays.equals(first.get().getAddress(), second.get().getAddress());
    }
    return a.equalsIgnoreCase(b);
  }
}
