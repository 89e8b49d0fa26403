package io.bloomgate.gateway.page;

import com.google.common.net.HostAndPort;
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
    try {
      String host =
          header == null
              ? ""
              : HostAndPort.fromString(header.strip().toLowerCase(Locale.ROOT)).getHost();
      return names.contains(host) || IpAddress.parse(host).toOptional().isPresent();
    } catch (IllegalArgumentException e) {
      return false;
    }
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
