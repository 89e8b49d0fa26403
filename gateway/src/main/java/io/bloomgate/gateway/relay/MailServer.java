package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.MailServerHealth.Reach;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One mail server behind the gateway, reached by SMTP or LMTP.
 *
 * <p>Built by {@link MailRoutes}, one for each server of each version of the {@code downstream}
 * settings; {@link #open} is called by sessions on their threads, {@link #probe} and {@link #tick}
 * by housekeeping on its own. A connection belongs to one session from {@link #open} to {@link
 * UpstreamSession#close}. A connection that has just delivered a message may then wait for another
 * client, if it is not bound to the first: see {@link IdleConnections}.
 */
public final class MailServer implements Upstream, AutoCloseable {

  /** Time that a session waits for one of {@code downstream.max_connections}. */
  private static final Duration PERMIT_WAIT = Duration.ofSeconds(10);

  private static final Duration PROBE_QUIT = Duration.ofSeconds(2);

  /** Log lines a minute about this: clients that use all connections could fill the log too. */
  private static final int NO_FREE_LINES = 1;

  private static final Logger LOG = LoggerFactory.getLogger(MailServer.class);

  private final Downstream settings;
  private final Runnable noFreeConnection;
  private final Duration permitWait;
  private final UpstreamConnector connector;
  private final ConnectionPermits permits;
  private final IdleConnections idle;
  private final MailServerHealth health;
  private final WarningPace noFreeWarnings;

  /**
   * @param hostName what we call ourselves in EHLO
   * @param nanoTime a monotonic clock, nanoseconds
   * @param noFreeConnection called when all connections were in use for the whole waiting time;
   *     must not block or throw
   */
  public MailServer(
      Downstream settings,
      String hostName,
      LongSupplier nanoTime,
      Runnable noFreeConnection,
      ServerMemory memory) {
    this(
        settings,
        nanoTime,
        noFreeConnection,
        PERMIT_WAIT,
        new UpstreamConnector(
            settings,
            hostName,
            nanoTime,
            UpstreamConnector.encryption(settings.tls(), TlsEngine.inUse()),
            memory));
  }

  /** Makes one with another waiting time, or a connector that trusts other certificates. */
  MailServer(
      Downstream settings,
      LongSupplier nanoTime,
      Runnable noFreeConnection,
      Duration permitWait,
      UpstreamConnector connector) {
    this.settings = settings;
    this.noFreeWarnings = new WarningPace(nanoTime, NO_FREE_LINES);
    this.noFreeConnection = noFreeConnection;
    this.permitWait = permitWait;
    this.connector = connector;
    this.permits = new ConnectionPermits(settings.maxConnections(), nanoTime);
    this.idle = new IdleConnections(settings.pool(), nanoTime, connector::forget);
    this.health = new MailServerHealth(connector.server(), nanoTime);
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    return open(client, true);
  }

  @Override
  public boolean hasRoom(IpAddress client) {
    return permits.hasRoom(client);
  }

  @Override
  public boolean isCrowded() {
    return permits.isCrowded();
  }

  /** The same, never on a kept connection: for checks that need the server's answer. */
  public UpstreamSession openNew(ClientIdentity client) throws UpstreamException {
    return open(client, false);
  }

  private UpstreamSession open(ClientIdentity client, boolean mayBeKept) throws UpstreamException {
    takePermit(client);
    boolean opened = false;
    try {
      UpstreamClient kept = mayBeKept ? takeIdle(client) : null;
      if (!mayBeKept) {
        makeRoom();
      }
      UpstreamClient connection = kept == null ? connect(client) : kept;
      opened = true;
      return new UpstreamDialog(connection, settings, this, client);
    } catch (UpstreamException e) {
      // A check that gave up says nothing about the server.
      if (!Thread.currentThread().isInterrupted()) {
        health.failed(client.address(), e);
      }
      throw e;
    } finally {
      if (!opened) {
        permits.release(client.address());
      }
    }
  }

  private UpstreamClient connect(ClientIdentity client) throws UpstreamException {
    UpstreamClient connection = connector.connect(client);
    health.opened(client.address());
    return connection;
  }

  @Override
  public UpstreamExtensions lastExtensions() {
    return connector.lastExtensions();
  }

  boolean offersKnown() {
    return connector.offersKnown();
  }

  /**
   * Connects, goes through the dialog of a session up to MAIL, with XCLIENT where it is in use, and
   * remembers what was offered. Where clients were not served at MAIL or later, MAIL is sent too;
   * QUIT ends the transaction. Blocks for as long as the timeouts allow; to be called at start and
   * every five minutes. Skipped when all connections are in use, because then sessions show the
   * server's health.
   *
   * @return true when the mail server can be used
   */
  public boolean probe() {
    if (!permits.tryTake()) {
      return health.isUp();
    }
    try {
      makeRoom();
      UpstreamClient connection = connector.connect(null);
      try {
        if (health.farthestUnserved() != Reach.OPENING) {
          connection.probe(settings.commandTimeout());
        }
        health.probed();
      } finally {
        connection.quitAndClose(PROBE_QUIT);
        connector.forget(connection);
      }
      return true;
    } catch (UpstreamException e) {
      health.probeFailed(e);
      return health.isUp();
    } finally {
      permits.release();
    }
  }

  /**
   * Probes a server that is down, at growing intervals, or one that is up and did not serve a
   * client. See {@link MailServerHealth#probeIfDue}.
   */
  void probeIfDue() {
    health.probeIfDue(this::probe);
  }

  /** The greeting at the last connection, printable; empty before that. */
  public String lastGreeting() {
    return connector.lastGreeting();
  }

  /** Our own address at the last connection, which the server must trust; empty before that. */
  public String ownAddress() {
    return connector.ownAddress();
  }

  /** True when it learns names of clients, or may learn them. */
  boolean tellsNames() {
    return connector.tellsNames();
  }

  /** Host and port. */
  public String name() {
    return connector.server();
  }

  /** Returns the way in which it gets the client's address. */
  public ClientAddress clientAddress() {
    return settings.clientAddress();
  }

  /** Returns the way in which the connections to it are encrypted. */
  public UpstreamTls tls() {
    return settings.tls();
  }

  MailServerHealth health() {
    return health;
  }

  /**
   * Closes connections that are overdue, and those that were idle for long; to be called about once
   * a second.
   */
  public void tick() {
    connector.closeOverdue();
    idle.tick();
  }

  /** Its state now. */
  public MailRoutes.ServerState state() {
    return new MailRoutes.ServerState(
        health.isUp(),
        health.problem(),
        connector.identity(),
        connector.identityLost(),
        health.isUp() && connector.foundNoWay(),
        permits.inUse(),
        settings.maxConnections(),
        idle.size(),
        permits.fullFor(),
        health.ipv6Problem());
  }

  /** Its settings are no longer the current ones: connections end with the sessions they serve. */
  public void retire() {
    idle.retire();
  }

  /** True when no connection is left. */
  public boolean unused() {
    return permits.inUse() == 0 && idle.empty();
  }

  /** Closes every connection; sessions that use one end with 451. */
  @Override
  public void close() {
    idle.close();
    connector.closeAll();
  }

  private void takePermit(ClientIdentity client) throws UpstreamException {
    try {
      if (permits.take(client.address(), permitWait)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UpstreamException.busy("interrupted while waiting for a connection to the mail server");
    }
    noFreeConnection.run();
    noFreeWarnings.say(more ->
        LOG.warn(
            "no connection to the mail server became free within {} s; mail is answered 451. One"
                + " client network (here that of {}) may use a quarter of the {} connections; raise"
                + " downstream.max_connections if the mail server can serve more{}",
            permitWait.toSeconds(),
            client.address(),
            settings.maxConnections(),
            more));
    throw UpstreamException.busy("no free connection to the mail server");
  }

  // ---- connections from one client to the next

  /**
   * A kept connection, which now carries this client's identity. Every session with a permit looks
   * here first and connects only when none is kept: so connections in use and kept are never more
   * than {@code max_connections}.
   */
  private @Nullable UpstreamClient takeIdle(ClientIdentity client) {
    UpstreamClient connection = idle.take();
    while (connection != null) {
      try {
        connector.rename(connection, client);
        return connection;
      } catch (IOException | UpstreamException e) {
        LOG.debug("a kept connection cannot be used any more: {}", e.getMessage());
        connection.abandon();
        connector.forget(connection);
        idle.clear();
      }
      connection = idle.take();
    }
    return null;
  }

  /** A probe needs its own connection. */
  private void makeRoom() {
    if (permits.inUse() + idle.size() > settings.maxConnections()) {
      UpstreamClient connection = idle.take();
      if (connection != null) {
        connection.abandon();
        connector.forget(connection);
      }
    }
  }

  // ---- where a connection goes when its session no longer needs it

  /** Takes a connection for the next client; false when it is not kept: the caller closes it. */
  boolean keep(UpstreamClient connection, ClientIdentity client) {
    boolean kept = connector.mayServeAnother(connection) && idle.offer(connection);
    if (kept) {
      permits.release(client.address());
    }
    return kept;
  }

  /** It was closed. */
  void closed(UpstreamClient connection, ClientIdentity client) {
    connector.forget(connection);
    permits.release(client.address());
  }

  /** A connection that was kept no longer works. */
  void stale() {
    idle.clear();
  }

  /** The server did not serve the client here. */
  void lost(ClientIdentity client, Reach at, UpstreamException reason) {
    if (!Thread.currentThread().isInterrupted()) {
      health.lost(client.address(), at, reason);
    }
  }

  /** Returns the number of other sessions that wait for the connection of this client. */
  int awaited(ClientIdentity client) {
    return permits.awaited(client.address());
  }
}
