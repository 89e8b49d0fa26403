package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.key.IpAddress;
import io.bloomgate.blocklists.key.IpPrefix;
import io.bloomgate.config.settings.Settings;
import java.util.List;

/**
 * The networks of one listener's settings, parsed once an environment instead of once a session.
 * Immutable.
 *
 * @param environment what they were made from
 */
record ListenerRules(
    SessionEnvironment environment, List<IpPrefix> trustedProxies, List<IpPrefix> xclientFrom) {

  static ListenerRules of(SessionEnvironment environment) {
    Settings.Listener listener = environment.listener();
    return new ListenerRules(
        environment, networks(listener.trustedProxies()), networks(listener.xclientFrom()));
  }

  /** True when a PROXY header is awaited from this peer. */
  boolean expectsProxyHeader(IpAddress peer) {
    return environment.listener().proxyProtocol() != Settings.Listener.ProxyProtocol.NONE
        && contains(trustedProxies, peer);
  }

  /** True when this peer may say XCLIENT. */
  boolean allowsXclient(IpAddress peer) {
    return contains(xclientFrom, peer);
  }

  private static boolean contains(List<IpPrefix> networks, IpAddress address) {
    for (IpPrefix network : networks) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }

  /** The settings were checked when they were read, so a text that is no network is a bug. */
  private static List<IpPrefix> networks(List<String> texts) {
    return texts.stream().map(text -> IpPrefix.parse(text).toOptional().orElseThrow()).toList();
  }
}
