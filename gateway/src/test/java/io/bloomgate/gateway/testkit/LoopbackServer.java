package io.bloomgate.gateway.testkit;

import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.MailRoutes;
import io.bloomgate.gateway.relay.MailServer;
import io.bloomgate.gateway.relay.ServerMemory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** A mail server on loopback as settings have it, by the names of what is not as usual. */
public final class LoopbackServer {

  private final int port;
  private Downstream.Protocol protocol = Downstream.Protocol.SMTP;
  private int connections = 20;
  private Downstream.Pool pool = new Downstream.Pool(5, Duration.ofSeconds(10));
  private Duration connect = Duration.ofSeconds(20);
  private Duration step = Duration.ofSeconds(20);
  private Duration command = Duration.ofSeconds(20);
  private Map<String, Downstream> routes = Map.of();

  private LoopbackServer(int port) {
    this.port = port;
  }

  public static LoopbackServer at(int port) {
    return new LoopbackServer(port);
  }

  public LoopbackServer lmtp(boolean on) {
    protocol = on ? Downstream.Protocol.LMTP : Downstream.Protocol.SMTP;
    return this;
  }

  public LoopbackServer connections(int most) {
    connections = most;
    return this;
  }

  /** How many connections are kept, and for how long. */
  public LoopbackServer idle(int most, Duration time) {
    pool = new Downstream.Pool(most, time);
    return this;
  }

  /** How long a step may take, but for the connection itself. */
  public LoopbackServer step(Duration most) {
    step = most;
    command = most;
    return this;
  }

  /** How long RCPT and its like may take. */
  public LoopbackServer command(Duration most) {
    command = most;
    return this;
  }

  public LoopbackServer routes(Map<String, Downstream> byDomain) {
    routes = byDomain;
    return this;
  }

  public Downstream settings() {
    return new Downstream(
        "127.0.0.1",
        port,
        protocol,
        Downstream.UpstreamTls.NONE,
        Downstream.ClientAddress.NONE,
        false,
        connections,
        pool,
        connect,
        step,
        command,
        step,
        step,
        List.of(),
        routes);
  }

  public MailServer server(LongSupplier nanoTime) {
    return new MailServer(
        settings(), "mx.test.example", nanoTime, () -> {}, ServerMemory.ofProcess());
  }

  /** The same with its routes. */
  public MailRoutes mailRoutes(LongSupplier nanoTime) {
    return new MailRoutes(
        settings(),
        "mx.test.example",
        nanoTime,
        () -> {},
        ServerMemory.ofProcess(),
        Runnable::run,
        ClientNames.OFF);
  }
}
