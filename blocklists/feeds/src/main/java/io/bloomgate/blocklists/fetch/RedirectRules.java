package io.bloomgate.blocklists.fetch;

import io.bloomgate.blocklists.entry.ReservedNetworks;
import io.bloomgate.blocklists.fetch.WebExchange.WebException;
import io.bloomgate.blocklists.format.Octets;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.FeedUrl;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/**
 * Decides which redirects a fetch follows: never from HTTPS to HTTP, never with a key to another
 * server, never from the operator's server to an address inside (a publisher's answer must not make
 * the gateway ask things behind the firewall), and to plain HTTP in the world only where the
 * operator takes that risk. The connection goes to the addresses that were checked, so that a
 * second look-up of the name cannot give others. Used by {@link HttpPage}; may wait for DNS.
 *
 * @param page whose address is the operator's, which may lead anywhere
 */
record RedirectRules(HttpPage.Page page, WebClient.Resolver resolver) {

  /**
   * A redirect that may be followed.
   *
   * @param addresses to connect to; empty where the operator or a proxy decides
   */
  record Follow(URI target, List<InetAddress> addresses) {}

  /**
   * Networks beside {@link ReservedNetworks} that are not the public Internet (IANA special-purpose
   * registries, RFC 6890), documentation networks apart, which lead nowhere; a lost redirect costs
   * less than a lost listing: RFC 6890 (protocol assignments), RFC 2544 (benchmarks), RFC 3879
   * (site-local), RFC 2928 (protocol assignments, Teredo among them), RFC 6666 (discard).
   */
  private static final List<IpPrefix> BESIDES =
      ReservedNetworks.networks(
          "192.0.0.0/24", "198.18.0.0/15", "fec0::/10", "2001::/23", "100::/64");

  /** RFC 6052: the IPv4 Internet as networks with NAT64 and DNS64 see it. */
  private static final IpPrefix NAT64 = ReservedNetworks.networks("64:ff9b::/96").getFirst();

  /** RFC 3056. */
  private static final IpPrefix SIX_TO_FOUR = ReservedNetworks.networks("2002::/16").getFirst();

  private static final int SIX_TO_FOUR_SHIFT = 16;

  /** RFC 9110 section 15.4: those that name another place. */
  static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  /**
   * Judges one step.
   *
   * @param location the header's value, empty when there is none
   * @throws WebException says why it is not followed
   */
  Follow judge(URI from, String location) throws WebException {
    if (location.isEmpty()) {
      throw new WebException("redirect to nowhere");
    }
    URI target;
    try {
      target = resolved(from, new URI(new URI(location).toASCIIString()));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new WebException("redirect to something that is not a URL");
    }
    String scheme = target.getScheme() == null ? "" : target.getScheme().toLowerCase(Locale.ROOT);
    if (target.getHost() == null || !(scheme.equals("http") || scheme.equals("https"))) {
      throw new WebException("redirect to something that is not a web address");
    }
    if (target.getRawUserInfo() != null) {
      throw new WebException("redirect with a user name or password in it");
    }
    if (!isOwn(target) && carriesKey(location)) {
      throw new WebException("redirect that would show the key to another server");
    }
    if (scheme.equals("http") && "https".equalsIgnoreCase(from.getScheme())) {
      throw new WebException("redirect from https to http, " + shown(target));
    }
    boolean openToTheWorld = !scheme.equals("http") || page.insecure();
    return isOwn(target) || (page.toPrivate() && openToTheWorld)
        ? new Follow(target, List.of())
        : checked(target, openToTheWorld);
  }

  /**
   * Resolves a reference by RFC 3986 section 5.2; the JDK keeps to the older RFC 2396, under which
   * {@code ?t=1} loses the last part of the path, and the path of a host without one has no root.
   */
  static URI resolved(URI base, URI to) {
    URI from = base.getRawPath().isEmpty() ? base.resolve("/") : base;
    boolean samePath =
        to.getScheme() == null && to.getRawAuthority() == null && to.getRawPath().isEmpty();
    String query = to.getRawQuery() == null ? base.getRawQuery() : to.getRawQuery();
    return samePath
        ? URI.create(
            from.getScheme()
                + "://"
                + from.getRawAuthority()
                + from.getRawPath()
                + (query == null ? "" : "?" + query))
        : from.resolve(to);
  }

  /** True for the server that the operator named, and that keys were given for. */
  boolean isOwn(URI target) {
    return sameServer(page.url(), target);
  }

  /** True when scheme, host and port are the same. */
  static boolean sameServer(URI a, URI b) {
    return a.getScheme().equalsIgnoreCase(b.getScheme())
        && String.valueOf(a.getHost()).equalsIgnoreCase(b.getHost())
        && port(a) == port(b);
  }

  private static int port(URI url) {
    return url.getPort() >= 0
        ? url.getPort()
        : "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
  }

  private boolean carriesKey(String location) {
    String text = location.toLowerCase(Locale.ROOT);
    return page.secrets().stream()
        .map(s -> s.toLowerCase(Locale.ROOT))
        .anyMatch(
            s -> text.contains(s) || text.contains(FeedUrl.encoded(s).toLowerCase(Locale.ROOT)));
  }

  /**
   * Decides by the place of the target.
   *
   * @param openToTheWorld follow it also when that is not inside
   */
  private Follow checked(URI target, boolean openToTheWorld) throws WebException {
    String host = target.getHost();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (isInsideName(bare) && !page.toPrivate()) {
      throw toPrivate(target);
    }
    List<InetAddress> addresses = List.of();
    try {
      addresses = List.of(resolver.resolve(bare));
    } catch (IOException e) {
      // Behind a proxy, names of the world need not be known here.
      if (page.proxy() == null) {
        throw new WebException("redirect to a name without address, " + shown(target));
      }
    }
    long inside = addresses.stream().filter(a -> isInside(IpAddress.of(a))).count();
    if (inside > 0 && !page.toPrivate()) {
      throw toPrivate(target);
    }
    boolean allInside = inside > 0 && inside == addresses.size();
    if (!openToTheWorld && !allInside) {
      throw new WebException(
          "redirect to plain http, " + shown(target) + "; `insecure: true` permits it");
    }
    return new Follow(target, addresses);
  }

  private static WebException toPrivate(URI target) {
    return new WebException(
        "redirect to a private address, "
            + shown(target)
            + "; `allow_private_redirects: true` permits it");
  }

  /** Server only: the other side chooses what follows it. */
  private static String shown(URI target) {
    String port = target.getPort() < 0 ? "" : ":" + target.getPort();
    return Octets.escape(target.getScheme() + "://" + target.getHost() + port);
  }

  /** True for an address inside, also one that is wrapped into an address of the world. */
  static boolean isInside(IpAddress address) {
    if (NAT64.contains(address)) {
      return isInside(IpAddress.ofV4((int) address.low()));
    }
    if (SIX_TO_FOUR.contains(address)) {
      return isInside(IpAddress.ofV4((int) (address.high() >>> SIX_TO_FOUR_SHIFT)));
    }
    IpPrefix host = IpPrefix.host(address);
    return ReservedNetworks.overlap(host) || ReservedNetworks.overlapsAny(BESIDES, host);
  }

  /**
   * True for a name that only a network of one's own can know: a proxy may resolve what we cannot.
   *
   * @param host a name, or an address without brackets, of which this says nothing
   */
  static boolean isInsideName(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    boolean singleLabel = bare.indexOf('.') < 0 && bare.indexOf(':') < 0;
    return singleLabel || DomainName.isInside(bare);
  }
}
