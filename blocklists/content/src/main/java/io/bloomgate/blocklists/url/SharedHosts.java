package io.bloomgate.blocklists.url;

import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.NameList;
import io.bloomgate.config.name.PublicSuffixes;

/**
 * Knows the hosts that serve the pages of strangers, so that one bad URL says nothing about the
 * others there: an entry of a list of URLs must not become an entry for such a host, and a DNS list
 * need not be asked about it. The build of lists and sessions ask. Any thread; pure. Protected and
 * known-good names are asked elsewhere.
 */
public final class SharedHosts {

  private SharedHosts() {}

  /**
   * True when the host itself is shared: it is a public suffix ({@code github.io}, registry or
   * private), a hoster of the shipped list ({@code docs.google.com}), or a redirector ({@code
   * bit.ly}). The host of one customer ({@code shop.example.github.io}) is not shared.
   *
   * @param host a name; an IP address is never shared here
   */
  public static boolean isShared(ListKey host) {
    return host instanceof DomainName name
        && (PublicSuffixes.contains(name)
            || NameList.HOSTERS.contains(name)
            || Redirectors.isRedirector(name));
  }

  /**
   * The name that somebody registered: the one directly below the longest public suffix or shared
   * host, or the last two labels.
   *
   * @param host one that is not shared itself
   */
  public static DomainName registered(DomainName host) {
    int last = host.labels() - 2;
    for (int label = 1; label <= last; label++) {
      if (isShared(host.from(label))) {
        return host.from(label - 1);
      }
    }
    return host.from(last);
  }
}
