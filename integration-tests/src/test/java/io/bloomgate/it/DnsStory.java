package io.bloomgate.it;

import io.bloomgate.config.json.Json;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that asks a name server on loopback. A story adds settings and starts it. */
abstract class DnsStory {

  static final String OK = "250 2.1.5 Ok";

  @TempDir Path folder;
  final LoopbackDns dns = LoopbackDns.start();
  final ScriptedUpstream upstream = ScriptedUpstream.start();
  GatewayFixture gateway;

  @BeforeEach
  final void prepareGateway() {
    gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("dns", "{servers: [\"127.0.0.1:" + dns.address().getPort() + "\"]}");
  }

  @AfterEach
  final void stop() {
    gateway.close();
    upstream.close();
    dns.close();
  }

  /** The lists are asked from their first test on, which begins within a second. */
  final void awaitLists() throws IOException {
    Conditions.await(
        "tests of the DNS lists", () -> !gateway.status().toString().contains("DNS list"));
  }

  final String rcpt(String client) throws IOException {
    return gateway.rcpt(client, "h.example.org", "a@b.example.org", "bob@example.com");
  }

  final String explain(String subject) {
    return Json.write(gateway.explain(subject));
  }
}
