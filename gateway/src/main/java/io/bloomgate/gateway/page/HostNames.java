package io.bloomgate.gateway.page;

import io.bloomgate.config.name.IpAddress;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names under which a browser may ask for the page. A foreign site that lets its own name lead
 * to our address (DNS rebinding) is refused, and so is a form of another site. Immutable.
 */
final class HostNames {

  private final Set<String> names;

  HostNames(Stream<String> names) {
    this.names =
        Stream.concat(names, Stream.of("localhost"))
            .map(name -> name.toLowerCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * True for a literal address and for one of the names.
   *
   * @param header {@code Host} (RFC 9110, section 7.2)
   */
  boolean permits(@Nullable String header) {
    if (header == null) {
      return false;
    }
    String host = header.strip().toLowerCase(Locale.ROOT);
    if (host.startsWith("[")) {
      int end = host.indexOf(']');
      return end > 0 && isAddress(host.substring(1, end)) && isPort(host.substring(end + 1));
    }
    int colon = host.indexOf(':');
    String name = colon < 0 ? host : host.substring(0, colon);
    return isPort(colon < 0 ? "" : host.substring(colon))
        && (names.contains(name) || isAddress(name));
  }

  private static boolean isAddress(String text) {
    return IpAddress.parse(text).toOptional().isPresent();
  }

  private static boolean isPort(String text) {
    return text.matches("(:[0-9]{0,5})?");
  }

  /**
   * True when a form came from a page of ours: its origin (RFC 6454) is the host it was sent to.
   * Browsers send an origin with each form; a client without one has no cookie of a browser.
   */
  static boolean isSameOrigin(@Nullable String origin, @Nullable String host) {
    return origin == null
        || (host != null
            && (origin.equalsIgnoreCase("http://" + host)
                || origin.equalsIgnoreCase("https://" + host)));
  }
}
