package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.Pool;
import io.bloomgate.config.settings.Settings.Downstream.Protocol;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.config.settings.yaml.Section;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The section {@code downstream}. Pure. */
final class DownstreamBinder {

  private static final int MAX_CONNECTIONS = 100_000;

  private static final Values.Choice<Boolean> REVERSE_NAMES =
      Values.choice(List.of(true, false), asked -> asked ? "auto" : "off");

  private DownstreamBinder() {}

  static Downstream bind(Section s) {
    return server(s, routes(s));
  }

  private static Map<String, Downstream> routes(Section s) {
    Map<String, Downstream> routes = new LinkedHashMap<>();
    s.named("routes").forEach((domain, section) -> routes.put(domain, server(section, Map.of())));
    return Collections.unmodifiableMap(routes);
  }

  /** Checks routes against domains: mail for other domains is refused before any route. */
  static void check(Section root, Settings settings) {
    Section routes = root.section("downstream").section("routes");
    OwnDomains own = OwnDomains.of(settings.domains());
    settings.downstream().routes().keySet().stream()
        .filter(domain -> !own.contains(domain) && !domain.startsWith(Section.UNNAMED))
        .forEach(domain -> settings.domainSources().foreign(routes, domain, "route"));
  }

  private static Downstream server(Section s, Map<String, Downstream> routes) {
    String host =
        s.required(
            "host",
            "host: 127.0.0.1",
            Values.noted("name or address", Names::host),
            "localhost.invalid");
    int port = s.value("port", "25", Values.port());
    Protocol protocol = s.value("protocol", "smtp", Values.dashed(Protocol.class));
    if (protocol == Protocol.LMTP && port == 25) {
      // RFC 2033 section 5.
      s.problem(
          "protocol", "LMTP is not used on port 25", "set port to the one of the LMTP server, 24");
    }
    UpstreamTls tls = s.value("tls", "none", Values.dashed(UpstreamTls.class));
    ClientAddress client = s.value("client_address", "auto", Values.dashed(ClientAddress.class));
    s.warnIf(
        client == ClientAddress.NONE,
        "client_address",
        "with client_address: none the mail server takes every mail for one of this gateway",
        "its own checks and greylisting see one address, and if it trusts that address it relays"
            + " for anyone; set auto, xclient or proxy-v2");
    return new Downstream(
        host,
        port,
        protocol,
        tls,
        client,
        s.value("reverse_names", "auto", REVERSE_NAMES),
        s.value("max_connections", "100", Values.integer(1, MAX_CONNECTIONS)),
        pool(s.section("pool")),
        s.value("connect_timeout", "10s", Values.duration("1s", "1h")),
        s.value("greeting_timeout", "60s", Values.duration("1s", "1h")),
        s.value("command_timeout", "5m", Values.duration("1s", "1h")),
        s.value("content_timeout", "3m", Values.duration("1s", "1h")),
        s.value("end_of_data_timeout", "10m", Values.duration("1s", "1h")),
        s.list("backups", List.of(), Values.noted("HOST:PORT", DownstreamBinder::backup)),
        routes);
  }

  /** Ports of listeners may be 0, those of servers not. */
  private static HostPort backup(String text) throws BadValueException {
    HostPort server = Values.hostPort().read(text);
    Values.port().read(Integer.toString(server.port()));
    return server;
  }

  private static Pool pool(Section s) {
    return new Pool(
        s.value("max_idle", "20", Values.integer(0, MAX_CONNECTIONS)),
        s.value("idle_timeout", "10s", Values.duration("1s", "5m")));
  }
}
