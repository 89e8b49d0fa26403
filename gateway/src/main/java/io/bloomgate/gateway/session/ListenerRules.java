package io.bloomgate.gateway.session;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import java.util.List;

/**
 * What the sessions of one listener share as long as its settings stay: whom it trusts, and the
 * pace of warnings. Thread-safe.
 *
 * @param environment what it was made from
 * @param proxyHeaderWarnings of peers that must send a PROXY header and send none, or a bad one
 * @param upstreamWarnings of messages that the mail server failed
 * @param messageLines about single messages, which any client can cause
 * @param contentLines about content that was not looked at, which is usual in odd mail
 */
record ListenerRules(
    SessionEnvironment environment,
    WarningPace proxyHeaderWarnings,
    WarningPace upstreamWarnings,
    WarningPace messageLines,
    WarningPace contentLines) {

  /** Log lines a minute; where a proxy is expected, any client may still reach the port. */
  private static final int PROXY_HEADER_LINES = 5;

  /** Log lines a minute; a mail server in trouble may fail each message. */
  static final int UPSTREAM_LINES = 5;

  /** Log lines a minute; every message may have such fields. */
  private static final int MESSAGE_LINES = 20;

  static ListenerRules of(SessionEnvironment environment) {
    return new ListenerRules(
        environment,
        new WarningPace(environment.nanoTime(), PROXY_HEADER_LINES),
        new WarningPace(environment.nanoTime(), UPSTREAM_LINES),
        new WarningPace(environment.nanoTime(), MESSAGE_LINES),
        new WarningPace(environment.nanoTime(), MESSAGE_LINES));
  }

  /** The same for a session that reports elsewhere. */
  ListenerRules reportingTo(Telemetry telemetry) {
    return new ListenerRules(
        environment.reportingTo(telemetry),
        proxyHeaderWarnings,
        upstreamWarnings,
        messageLines,
        contentLines);
  }

  /** True when this peer must send a PROXY header. */
  boolean expectsProxyHeader(IpAddress peer) {
    return environment.listener().proxyProtocol() != Settings.Listener.ProxyProtocol.NONE
        && contains(environment.listener().trustedProxies(), peer);
  }

  /** True when this peer may send XCLIENT. */
  boolean allowsXclient(IpAddress peer) {
    return contains(environment.listener().xclientFrom(), peer);
  }

  private static boolean contains(List<IpPrefix> networks, IpAddress address) {
    for (IpPrefix network : networks) {
      if (network.contains(address)) {
        return true;
      }
    }
    return false;
  }
}
