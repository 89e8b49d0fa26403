package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.Pool;
import io.bloomgate.config.settings.Settings.Downstream.Protocol;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;

/** The section {@code downstream}. Pure. */
final class DownstreamBinder {

  private static final int MAX_CONNECTIONS = 100_000;

  private DownstreamBinder() {}

  static Downstream bind(Section s) {
    String host = s.required("host", "host: 127.0.0.1", Values.host(), "localhost.invalid");
    int port = s.value("port", "25", Values.port());
    Protocol protocol = s.value("protocol", "smtp", Words.dashed(Protocol.class).withLater("lmtp"));
    UpstreamTls tls = s.value("tls", "none", Words.dashed(UpstreamTls.class));
    ClientAddress client = s.value("client_address", "auto", Words.dashed(ClientAddress.class));
    if (client == ClientAddress.NONE) {
      s.warn(
          "client_address",
          "with client_address: none the mail server takes every mail for one of this gateway",
          "its own checks and greylisting see one address, and if it trusts that address it relays"
              + " for anyone; set auto, xclient or proxy-v2");
    }
    return new Downstream(
        host,
        port,
        protocol,
        tls,
        client,
        s.value("max_connections", "100", Values.integer(1, MAX_CONNECTIONS)),
        pool(s.section("pool")),
        s.value("connect_timeout", "10s", Values.duration("1s", "1h")),
        s.value("greeting_timeout", "60s", Values.duration("1s", "1h")),
        s.value("command_timeout", "5m", Values.duration("1s", "1h")),
        s.value("content_timeout", "3m", Values.duration("1s", "1h")),
        s.value("end_of_data_timeout", "10m", Values.duration("1s", "1h")));
  }

  private static Pool pool(Section s) {
    return new Pool(
        s.value("max_idle", "20", Values.integer(0, MAX_CONNECTIONS)),
        s.value("idle_timeout", "10s", Values.duration("1s", "5m")));
  }
}
