package io.bloomgate.blocklists.fetch;

import java.net.InetAddress;
import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request, and the way to its server. Immutable.
 *
 * @param url absolute, http or https, without user information
 * @param addresses where to connect, tried in order; empty to look the name up. Of no use with a
 *     proxy, which looks names up itself
 * @param headers besides Host and Connection, already checked; none may hold CR or LF
 * @param proxy {@code null} to ask directly
 */
public record WebRequest(
    URI url, List<InetAddress> addresses, Map<String, String> headers, @Nullable WebProxy proxy) {

  public WebRequest {
    addresses = List.copyOf(addresses);
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  String scheme() {
    return url.getScheme();
  }

  /** Name or address literal, without brackets. */
  String host() {
    String host = url.getHost();
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** Path and query as they are asked for (RFC 9112 section 3.2.1). */
  String target() {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }

  /**
   * A proxy that carries http and https. Immutable.
   *
   * @param host name or address literal without brackets
   * @param credentials USER:PASSWORD for Basic (RFC 7617), empty for none
   */
  public record WebProxy(String host, int port, String credentials) {

    /** The address without the credentials. */
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }
}
