package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.Pool;
import io.bloomgate.config.settings.Settings.Downstream.Protocol;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.smtp.MailCommand;
import io.bloomgate.gateway.smtp.RcptCommand;
import io.bloomgate.gateway.smtp.Reply;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** What the tests of this package share: settings that can be varied, a client, an envelope. */
final class RelayFixture {

  static final String FROM = "a@partner.example";
  static final String TO = "bob@example.com";
  static final String TO_EVE = "eve@example.com";

  UpstreamTls tls = UpstreamTls.NONE;
  ClientAddress clientAddress = ClientAddress.NONE;
  int maxConnections = 10;
  Pool pool = new Pool(0, Duration.ofSeconds(10));
  Duration stepTimeout = Duration.ofSeconds(60);
  Duration connectTimeout = Duration.ofSeconds(60);
  Duration permitWait = Duration.ofSeconds(60);
  LongSupplier nanoTime = System::nanoTime;
  Executor probes = Runnable::run;
  ClientNames names = ClientNames.OFF;
  String host = "127.0.0.1";
  Protocol protocol = Protocol.SMTP;
  final List<HostPort> backups = new ArrayList<>();
  final Map<String, Downstream> routes = new LinkedHashMap<>();
  final ServerMemory xclient = ServerMemory.ofProcess();

  /** How often no connection became free. */
  final AtomicInteger refusals = new AtomicInteger();

  MailServer to(ScriptedUpstream server) {
    return to(server.port(), UpstreamConnector.encryption(tls, TlsEngine.inUse()));
  }

  MailServer to(int port, TlsContext context) {
    Downstream settings = settings(port);
    return new MailServer(
        settings,
        nanoTime,
        refusals::incrementAndGet,
        permitWait,
        new UpstreamConnector(settings, "mx.example.com", nanoTime, context, xclient));
  }

  /** The first server with its backups. */
  MailRoutes to(ScriptedUpstream first, ScriptedUpstream... backups) {
    for (ScriptedUpstream backup : backups) {
      this.backups.add(new HostPort(host, backup.port()));
    }
    return new MailRoutes(
        settings(first.port()),
        "mx.example.com",
        nanoTime,
        refusals::incrementAndGet,
        xclient,
        probes,
        names);
  }

  Downstream settings(int port) {
    return new Downstream(
        host,
        port,
        protocol,
        tls,
        clientAddress,
        true,
        maxConnections,
        pool,
        connectTimeout,
        stepTimeout,
        stepTimeout,
        stepTimeout,
        stepTimeout,
        List.copyOf(backups),
        Map.copyOf(routes));
  }

  static ClientIdentity client() {
    return client("203.0.113.7", "mail.partner.example");
  }

  static ClientIdentity client(String address, String helo) {
    return new ClientIdentity(ip(address), 40_000, helo, true, ip("192.0.2.25"), 25);
  }

  static IpAddress ip(String text) {
    return switch (IpAddress.parse(text)) {
      case Parsed.Ok<IpAddress> ok -> ok.value();
      case Parsed.Bad<IpAddress> bad -> throw new IllegalArgumentException(bad.toString());
    };
  }

  static Reply mailAndRcpt(UpstreamSession session) throws UpstreamException {
    return session.mailAndRcpt(new MailCommand(FROM), new RcptCommand(TO));
  }

  /** DATA, with nothing held yet. */
  static Reply data(UpstreamSession session) throws UpstreamException {
    return session.data(new OutgoingContent(new ContentBudget(Long.MAX_VALUE)));
  }

  static void send(UpstreamSession session, String content) throws UpstreamException {
    byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
    session.content(octets, 0, octets.length);
  }

  /** A whole small message; the reply to its final dot. */
  static Reply message(UpstreamSession session) throws UpstreamException {
    mailAndRcpt(session);
    data(session);
    send(session, "Subject: x\r\n\r\nbody\r\n");
    return end(session);
  }

  /** The one word on a message. */
  static Reply end(UpstreamSession session) throws UpstreamException {
    List<UpstreamSession.MessageReply> words = session.endOfData();
    if (words.size() != 1) {
      throw new AssertionError(words);
    }
    return words.getFirst().reply();
  }
}
