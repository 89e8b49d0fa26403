package io.bloomgate.gateway.relay;

import static io.bloomgate.gateway.relay.RelayFixture.client;
import static io.bloomgate.gateway.relay.RelayFixture.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.ClientName.State;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How the upstream learns who the client is. */
class UpstreamIdentityTest extends OneServer {

  private static final String POSTFIX = "XCLIENT NAME ADDR PROTO HELO PORT DESTADDR DESTPORT";
  private static final Set<String> ALL =
      Set.of("NAME", "ADDR", "PROTO", "HELO", "PORT", "DESTADDR", "DESTPORT", "LOGIN", "SOURCE");

  @Test
  void theSecondEhloCounts() throws UpstreamException {
    fixture.clientAddress = ClientAddress.AUTO;
    server.offering("DSN").on("EHLO", "250-upstream.example\r\n250 XCLIENT ADDR");
    MailServer upstream = fixture.to(server);
    try (UpstreamSession session = upstream.open(client())) {
      assertTrue(session.extensions().dsn());
      assertTrue(upstream.lastExtensions().dsn());
    }
    assertEquals(
        List.of(
            "EHLO mx.example.com", "XCLIENT ADDR=203.0.113.7", "EHLO mail.partner.example", "QUIT"),
        server.connections().getFirst().commands());
  }

  @Test
  void aNameThatTheUpstreamDoesNotTakeIsReplacedByOurs() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V2;
    server.behindProxy().on("EHLO", "504 5.5.2 need a fully-qualified name");
    fixture.to(server).open(client()).close();
    assertEquals(
        List.of("EHLO mail.partner.example", "EHLO mx.example.com", "QUIT"),
        server.connections().getFirst().commands());
  }

  @Test
  void whatItTookBeforeARestartOrReloadIsRemembered() throws UpstreamException {
    fixture.clientAddress = ClientAddress.AUTO;
    server.offering(POSTFIX);
    fixture.to(server).open(client()).close();
    server.offering("PIPELINING");
    MailServer later = fixture.to(server);
    assertEquals("xclient", later.state().identity());
    assertFalse(later.state().identityLost(), "it was not asked yet");
    UpstreamException e = assertThrows(UpstreamException.class, () -> later.open(client()));
    assertEquals("4.3.0", e.reply().enhanced());
    assertTrue(later.state().identityLost());
    server.offering(POSTFIX);
    later.open(client()).close();
    assertFalse(later.state().identityLost());
    server.offering("PIPELINING");
    // Who wants it so says so.
    fixture.clientAddress = ClientAddress.NONE;
    fixture.to(server).open(client()).close();
  }

  @Test
  void whatIsNotKnownIsSaidToBeUnavailable() {
    ClientIdentity unknown =
        new ClientIdentity(
            RelayFixture.ip("203.0.113.7"), 0, "", false, RelayFixture.ip("2001:db8::25"), 25);
    assertEquals(
        List.of(
            "XCLIENT NAME=[UNAVAILABLE] PROTO=[UNAVAILABLE] HELO=[UNAVAILABLE]"
                + " DESTADDR=IPV6:2001:db8::25 DESTPORT=25 PORT=[UNAVAILABLE] ADDR=203.0.113.7"),
        unknown.xclient(ALL));
    String tooLong = "h".repeat(256);
    assertTrue(
        client("203.0.113.7", tooLong).xclient(ALL).getFirst().contains("HELO=[UNAVAILABLE]"));
  }

  @Test
  void theNameOfTheAddressIsSentWhereTheServerTakesIt() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    server.offering("XCLIENT NAME REVERSE_NAME ADDR");
    fixture.to(server).open(named(new ClientName("forged.example", State.UNKNOWN))).close();
    fixture.to(server).open(named(new ClientName("a.example", State.CONFIRMED))).close();
    fixture.to(server).open(named(ClientName.NONE)).close();
    server.offering("XCLIENT ADDR");
    fixture.to(server).open(unaskable()).close();
    assertEquals(
        List.of(
            "XCLIENT NAME=[TEMPUNAVAIL] REVERSE_NAME=forged.example ADDR=203.0.113.7",
            "XCLIENT NAME=a.example REVERSE_NAME=a.example ADDR=203.0.113.7",
            "XCLIENT NAME=[UNAVAILABLE] REVERSE_NAME=[UNAVAILABLE] ADDR=203.0.113.7",
            "XCLIENT ADDR=203.0.113.7"),
        server.connections().stream().map(c -> c.commands().get(1)).toList());
  }

  @Test
  void namesAreLookedUpOnlyForServersThatGetThem() throws UpstreamException {
    List<String> asked = new ArrayList<>();
    fixture.names =
        client -> {
          asked.add(client.toString());
          return ClientNames.NOT_ASKED;
        };
    fixture.to(server, new ScriptedUpstream[0]).nameOf(RelayFixture.ip("203.0.113.1"));
    fixture.clientAddress = ClientAddress.AUTO;
    MailRoutes auto = fixture.to(server, new ScriptedUpstream[0]);
    auto.nameOf(RelayFixture.ip("203.0.113.2"));
    server.offering("PIPELINING");
    auto.open(client()).close();
    auto.nameOf(RelayFixture.ip("203.0.113.3"));
    server.offering("XCLIENT NAME ADDR");
    auto.open(client()).close();
    auto.nameOf(RelayFixture.ip("203.0.113.4"));
    // A server that was not heard yet may announce anything.
    assertEquals(List.of("203.0.113.2", "203.0.113.4"), asked);
  }

  private static List<String> verbs(List<String> commands) {
    return commands.stream().map(line -> line.split(" ", 2)[0]).toList();
  }

  private static ClientIdentity named(ClientName name) {
    return named(() -> name);
  }

  private static ClientIdentity unaskable() {
    return named(() -> {
      throw new AssertionError("asked for a name that no server gets");
    });
  }

  private static ClientIdentity named(Supplier<ClientName> name) {
    ClientIdentity c = client();
    return new ClientIdentity(
        c.address(), c.port(), c.helo(), c.esmtp(), c.destination(), c.destinationPort(), name);
  }

  @Test
  void severalXclientCommandsEachGetTheirEhlo() throws UpstreamException {
    fixture.clientAddress = ClientAddress.XCLIENT;
    server.offering(POSTFIX);
    fixture.to(server).open(client("203.0.113.7", "=".repeat(140))).close();
    List<String> commands = server.connections().getFirst().commands();
    assertEquals(List.of("EHLO", "XCLIENT", "EHLO", "XCLIENT", "EHLO", "QUIT"), verbs(commands));
    assertTrue(commands.get(1).contains("NAME=[UNAVAILABLE]"), commands.toString());
    assertTrue(commands.get(3).endsWith(" ADDR=203.0.113.7"), commands.toString());
    assertTrue(commands.stream().allMatch(line -> line.length() <= 510), commands.toString());
  }

  @Test
  void proxyHeaderComesBeforeTheGreeting() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V2;
    server.behindProxy();
    MailServer upstream = fixture.to(server);
    try (UpstreamSession session = upstream.open(client())) {
      assertEquals(250, message(session).code());
    }
    assertTrue(upstream.probe());
    assertEquals("proxy-v2", upstream.state().identity());
    String signature = "0d0a0d0a000d0a515549540a";
    assertEquals(
        signature + "2111000c" + "cb007107" + "c0000219" + "9c40" + "0019",
        HexFormat.of().formatHex(server.connections().get(0).proxyHeader()));
    assertEquals(
        signature + "20000000",
        HexFormat.of().formatHex(server.connections().get(1).proxyHeader()));
  }

  @Test
  void proxyLineComesBeforeTheGreeting() throws UpstreamException {
    fixture.clientAddress = ClientAddress.PROXY_V1;
    server.behindProxy();
    MailServer upstream = fixture.to(server);
    for (String address : List.of("203.0.113.7", "2001:db8::7")) {
      try (UpstreamSession session = upstream.open(client(address, "mail.partner.example"))) {
        assertEquals(250, message(session).code());
      }
    }
    assertTrue(upstream.probe());
    assertEquals("proxy-v1", upstream.state().identity());
    List<String> lines =
        server.connections().stream()
            .map(c -> new String(c.proxyHeader(), StandardCharsets.US_ASCII))
            .toList();
    assertEquals(
        List.of(
            "PROXY TCP4 203.0.113.7 192.0.2.25 40000 25\r\n",
            "PROXY TCP6 2001:db8::7 ::ffff:192.0.2.25 40000 25\r\n"),
        lines.subList(0, 2));
    // Postfix 3.7 takes no UNKNOWN: a probe names itself.
    String own = "PROXY TCP4 127.0.0.1 127.0.0.1 [1-9][0-9]* " + server.port() + "\r\n";
    assertTrue(lines.get(2).matches(own), lines.get(2));
    // A connection has the identity of one client, so none is kept for another.
    assertEquals(
        List.of("EHLO mail.partner.example", "EHLO mail.partner.example", "EHLO mx.example.com"),
        server.connections().stream().map(c -> c.commands().getFirst()).toList());
  }
}
