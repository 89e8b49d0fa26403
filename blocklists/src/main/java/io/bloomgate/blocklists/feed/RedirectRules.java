package io.bloomgate.blocklists.feed;

import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * Which redirects a fetch follows: never from HTTPS to HTTP, never from the operator's server to an
 * address inside (a publisher's answer must not make the gateway ask things behind the firewall).
 * Credentials stay with the host they were given for. Used by {@link HttpFeedSource}.
 */
final class RedirectRules {

  /** How names are looked up; the JDK's resolver in production. */
  @FunctionalInterface
  interface Resolver {
    /** All addresses of a host. */
    InetAddress[] resolve(String host) throws IOException;
  }

  /** What to do with a redirect. */
  sealed interface Decision {
    /** Ask there. */
    record Follow(URI target) implements Decision {}

    /** Do not; the text says why. */
    record Refuse(String why) implements Decision {}
  }

  private final URI own;
  private final Resolver resolver;

  /**
   * @param own the URL of the settings, which may lead anywhere
   */
  RedirectRules(URI own, Resolver resolver) {
    this.own = own;
    this.resolver = resolver;
  }

  /** RFC 9110 section 15.4: those that name another place. */
  static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  Decision judge(URI from, Optional<String> location) {
    if (location.isEmpty()) {
      return new Decision.Refuse("redirect to nowhere");
    }
    URI target;
    try {
      target = withoutUser(from.resolve(new URI(location.get())));
    } catch (URISyntaxException | IOException | IllegalArgumentException e) {
      return new Decision.Refuse("redirect to something that is no URL");
    }
    String scheme = target.getScheme() == null ? "" : target.getScheme().toLowerCase(Locale.ROOT);
    if (target.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      return new Decision.Refuse("redirect to something that is no web address");
    }
    if (scheme.equals("http") && "https".equalsIgnoreCase(from.getScheme())) {
      return new Decision.Refuse("redirect from https to http, " + RedactedUrl.of(target));
    }
    if (sameServer(target)) {
      return new Decision.Follow(withUserOf(own, target));
    }
    return leadsInside(target.getHost())
        ? new Decision.Refuse("redirect to a private address, " + RedactedUrl.of(target))
        : new Decision.Follow(target);
  }

  private boolean sameServer(URI target) {
    return target.getHost().equalsIgnoreCase(own.getHost())
        && target.getScheme().equalsIgnoreCase(own.getScheme())
        && target.getPort() == own.getPort();
  }

  private boolean leadsInside(String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      for (InetAddress address : resolver.resolve(bare)) {
        if (ReservedNetworks.overlap(IpPrefix.host(IpAddress.of(address)))) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      // Nothing to connect to; the attempt will say so.
      return false;
    }
  }

  /** The URL without user and password, which go into a header of their own. */
  static URI withoutUser(URI url) throws IOException {
    return url.getRawUserInfo() == null ? url : rebuilt(url, null);
  }

  private static URI withUserOf(URI own, URI target) {
    try {
      return own.getRawUserInfo() == null ? target : rebuilt(target, own.getRawUserInfo());
    } catch (IOException e) {
      return target;
    }
  }

  private static URI rebuilt(URI url, @org.jspecify.annotations.Nullable String rawUser)
      throws IOException {
    String text =
        url.getScheme()
            + "://"
            + (rawUser == null ? "" : rawUser + "@")
            + url.getHost()
            + (url.getPort() < 0 ? "" : ":" + url.getPort())
            + (url.getRawPath() == null ? "" : url.getRawPath())
            + (url.getRawQuery() == null ? "" : "?" + url.getRawQuery());
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw new IOException("not a URL", e);
    }
  }
}
