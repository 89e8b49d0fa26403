package io.bloomgate.gateway.doctor;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.tls.ShownCertificate;
import java.net.SocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * All that the doctor may examine, made by the composition root for each run. Immutable.
 *
 * @param upstreams the mail servers, over the same path that mail takes
 * @param certificates empty when no listener offers TLS
 * @param ports of the listeners by name, which the system chose where the settings say 0
 * @param clock the time of day
 * @param threads for checks that wait for others
 * @param probes registers where our own probes of listeners come from
 */
public record ExaminedGateway(
    GatewayStatus status,
    List<MailRoutes.Server> upstreams,
    List<ShownCertificate> certificates,
    Map<String, Integer> ports,
    InstantSource clock,
    ThreadFactory threads,
    Probes probes) {

  /**
   * Keeps probes of the doctor out of what is counted.
   *
   * @param begin a session from this end of a socket is a probe
   * @param end the probe from this end is over
   */
  public record Probes(Consumer<SocketAddress> begin, Consumer<SocketAddress> end) {}

  private static final int SOME_PORT = 54_321;
  private static final int SMTP_PORT = 25;

  Settings settings() {
    return status.settings();
  }

  /** A client whom no mail server trusts: an address of the documentation range (RFC 5737). */
  ClientIdentity stranger() {
    return stranger("192.0.2.1", "192.0.2.25");
  }

  /** The same with an IPv6 address (RFC 3849). */
  ClientIdentity strangerBySix() {
    return stranger("2001:db8::1", "2001:db8::25");
  }

  private ClientIdentity stranger(String client, String here) {
    return new ClientIdentity(
        ip(client), SOME_PORT, "doctor." + foreignDomain(), true, ip(here), SMTP_PORT);
  }

  /** True when a client with an IPv6 address may come to a listener, or be named to it. */
  boolean mayMeetSix() {
    return settings().listeners().values().stream()
        .anyMatch(listener ->
            listener.address().host().contains(":")
                || !listener.trustedProxies().isEmpty()
                || !listener.xclientFrom().isEmpty());
  }

  private static IpAddress ip(String text) {
    return IpAddress.parse(text).toOptional().orElseThrow();
  }

  /** A domain that exists and is not ours, so that a refusal can only mean that it is foreign. */
  String foreignDomain() {
    boolean taken =
        settings().domains().stream().anyMatch(domain -> domain.endsWith("example.net"));
    return taken ? "example.org" : "example.net";
  }
}
