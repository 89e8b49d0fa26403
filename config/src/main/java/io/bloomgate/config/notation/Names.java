package io.bloomgate.config.notation;

import com.google.common.net.InetAddresses;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.MailAddress;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Names and hosts in settings: domains as A-labels, names of feeds and listeners, local parts, and
 * what a host is that is an address. A domain here may have one label ({@code localhost}), which
 * {@link DomainName} may not. Pure: no name is ever looked up.
 */
public final class Names {

  /** Longest domain name in octets as text (RFC 1035, section 2.3.4, less root and length). */
  private static final int MAX_DOMAIN_LENGTH = 253;

  private static final Pattern DOMAIN =
      Pattern.compile(
          "(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern ENTRY_NAME = Pattern.compile("[a-z0-9._-]{1,64}");

  private static final IpPrefix UNIQUE_LOCAL =
      IpPrefix.parse("fc00::/7").toOptional().orElseThrow();

  private Names() {}

  /** A domain name in lower case. */
  public static String domain(String text) throws BadValueException {
    if (!text.chars().allMatch(c -> c < 0x80)) {
      throw BadValueException.of(
          text,
          "is not written in ASCII",
          aLabels(text).map(name -> "write " + name).orElse("write the A-labels (xn--...)"));
    }
    if (isAddress(text)) {
      throw BadValueException.of(
          text, "is an address, not a domain", "write for example example.com");
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".") && lower.length() > 1) {
      throw BadValueException.of(text, "ends in a dot", "leave the last dot out");
    }
    if (lower.length() > MAX_DOMAIN_LENGTH || !DOMAIN.matcher(lower).matches()) {
      throw BadValueException.of(text, "is not a domain name", "write for example example.com");
    }
    return lower;
  }

  /** A name of any script as A-labels (RFC 5890 section 2.3.2.1), if it is a name. */
  public static Optional<String> aLabels(String text) {
    return DomainName.parse(text).toOptional().map(DomainName::toString);
  }

  /** A domain that others claim: a name of two labels or more. */
  public static DomainName brand(String text) throws BadValueException {
    return DomainName.parse(domain(text))
        .toOptional()
        .filter(name -> name.labels() > 1)
        .orElseThrow(() ->
            BadValueException.of(
                text, "is not a domain of a brand", "write for example example.com"));
  }

  /** One of our own domains: a domain name, with a leading dot for its subdomains too. */
  public static String ownDomain(String text) throws BadValueException {
    if (!text.startsWith(".")) {
      return domain(text);
    }
    String parent = domain(text.substring(1));
    if (parent.indexOf('.') < 0) {
      throw BadValueException.of(
          text,
          "would take mail for a whole top-level domain",
          "name your own domain, for example .example.com");
    }
    return "." + parent;
  }

  /** True for the name of a feed or a listener. */
  public static boolean isEntryName(String text) {
    return ENTRY_NAME.matcher(text).matches();
  }

  /** The name of a feed, a family of feeds or a rule. */
  public static String entryName(String text) throws BadValueException {
    if (!isEntryName(text)) {
      throw BadValueException.of(text, "is no name", "use a-z 0-9 . _ - only, at most 64 of them");
    }
    return text;
  }

  /** A local part in lower case. */
  public static String localPart(String text) throws BadValueException {
    if (text.indexOf('@') >= 0) {
      throw BadValueException.of(
          text, "has a domain", "write the local part alone, it holds at every own domain");
    }
    return MailAddress.parseLocal(text)
        .toOptional()
        .filter(local -> !local.startsWith("\""))
        .orElseThrow(() ->
            BadValueException.of(text, "is not a local part", "write for example postmaster"));
  }

  /** An address, or a network of them. */
  public static IpPrefix network(String text) throws BadValueException {
    return IpPrefix.parse(text)
        .toOptional()
        .orElseThrow(() ->
            BadValueException.of(
                text, "is not a network", "write an address or a CIDR, for example 192.0.2.0/24"));
  }

  /** A name or a literal; a literal may be in brackets, which are removed. */
  public static String host(String text) throws BadValueException {
    String bare =
        text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
    if (isAddress(bare)) {
      return bare;
    }
    if (text.matches(".+:[0-9]+")) {
      throw BadValueException.of(text, "holds a port", "write the port under its own key `port`");
    }
    if (text.matches("[0-9.]+")) {
      throw BadValueException.of(text, "is not an address", "write four numbers from 0 to 255");
    }
    return domain(text);
  }

  /** True for an address literal of either family. */
  public static boolean isAddress(String host) {
    return IpAddress.parse(host).toOptional().isPresent();
  }

  /** True for {@code localhost} and literals of 127.0.0.0/8 and ::1. */
  public static boolean isLoopback(String host) {
    return host.equalsIgnoreCase("localhost") || isAny(host, InetAddress::isLoopbackAddress);
  }

  /** True for loopback, private (RFC 1918, RFC 4193) and link-local literals. */
  public static boolean isLocal(String host) {
    return isLoopback(host)
        || isAny(host, InetAddress::isSiteLocalAddress)
        || isAny(host, InetAddress::isLinkLocalAddress)
        || IpAddress.parse(host).toOptional().filter(UNIQUE_LOCAL::contains).isPresent();
  }

  /** True for {@code 0.0.0.0} and {@code ::}. */
  public static boolean isWildcard(String host) {
    return isAny(host, InetAddress::isAnyLocalAddress);
  }

  private static boolean isAny(String host, Predicate<InetAddress> kind) {
    return isAddress(host) && kind.test(InetAddresses.forString(host));
  }

  /** True for the same address in whatever notation; names are compared as they are. */
  public static boolean sameHost(String a, String b) {
    Optional<IpAddress> first = IpAddress.parse(a).toOptional();
    boolean sameAddress = first.isPresent() && first.equals(IpAddress.parse(b).toOptional());
    return sameAddress || a.equalsIgnoreCase(b);
  }
}
