package io.bloomgate.gateway.relay;

import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mail server behind the gateway, spoken to by SMTP.
 *
 * <p>Built by the composition root, one for each version of the {@code downstream} settings; {@link
 * #open} is called by sessions on their threads, {@link #probe} and {@link #tick} by housekeeping
 * on its own. A connection belongs to one session from {@link #open} to {@link
 * UpstreamSession#close}; none is shared or kept, because it carries one client's identity.
 */
public final class SmtpUpstream implements Upstream, AutoCloseable {

  /** How long a session waits for one of {@code downstream.max_connections}. */
  private static final Duration PERMIT_WAIT = Duration.ofSeconds(10);

  /**
   * How long a session may keep a connection without using it; below the usual timeouts of servers
   * (RFC 5321 section 4.5.3.2.7 asks for 5 minutes). One under stress may close first, and what the
   * client then sends is answered 451.
   */
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(30);

  private static final Duration PROBE_QUIT = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(SmtpUpstream.class);

  private final Downstream settings;
  private final String hostName;
  private final LongSupplier nanoTime;
  private final UpstreamListener listener;
  private final Duration permitWait;
  private final SSLContext tls;
  private final ConnectionPermits permits;
  private final Set<DeadlineSocket> sockets = ConcurrentHashMap.newKeySet();
  private final UpstreamHealth health;
  private final AtomicBoolean warnedOfAnonymity = new AtomicBoolean();
  private final AtomicBoolean warnedOfFullHouse = new AtomicBoolean();
  private volatile UpstreamExtensions lastExtensions = UpstreamExtensions.NONE;
  private volatile boolean xclientWorked;

  /** A greeted connection that is ready for MAIL. */
  private record Ready(
      UpstreamClient client, UpstreamExtensions extensions, List<String> xforward) {}

  /**
   * @param hostName what we call ourselves in EHLO
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public SmtpUpstream(
      Downstream settings, String hostName, LongSupplier nanoTime, UpstreamListener listener) {
    this(
        settings, hostName, nanoTime, listener, PERMIT_WAIT, UpstreamTlsContext.of(settings.tls()));
  }

  /** For tests: with another waiting time and other trusted certificates. */
  SmtpUpstream(
      Downstream settings,
      String hostName,
      LongSupplier nanoTime,
      UpstreamListener listener,
      Duration permitWait,
      SSLContext tls) {
    this.settings = settings;
    this.hostName = hostName;
    this.nanoTime = nanoTime;
    this.listener = listener;
    this.permitWait = permitWait;
    this.tls = tls;
    this.health = new UpstreamHealth(settings.host() + " port " + settings.port(), listener);
    this.permits = new ConnectionPermits(settings.maxConnections());
  }

  @Override
  public UpstreamSession open(ClientIdentity client) throws UpstreamException {
    takePermit(client);
    boolean opened = false;
    try {
      Ready ready = connect(client);
      health.succeeded();
      opened = true;
      return new RelaySession(
          ready.client(),
          ready.extensions(),
          settings,
          ready.xforward(),
          () -> release(ready.client(), client));
    } catch (UpstreamException e) {
      health.failed(String.valueOf(e.getMessage()));
      throw e;
    } finally {
      if (!opened) {
        permits.release(client.address());
      }
    }
  }

  @Override
  public UpstreamExtensions lastExtensions() {
    return lastExtensions;
  }

  @Override
  public Duration idleLimit() {
    return IDLE_LIMIT;
  }

  @Override
  public boolean awaited() {
    return permits.awaited();
  }

  /**
   * Connects, says EHLO and QUIT, and remembers what was offered. Blocks for as long as the
   * timeouts allow; to be called at start and every five minutes. Skipped when all connections are
   * in use, because then sessions bring the news.
   *
   * @return true when the upstream can be used
   */
  public boolean probe() {
    if (!permits.tryTake()) {
      return health.isUp();
    }
    try {
      Ready ready = connect(null);
      health.succeeded();
      ready.client().quitAndClose(PROBE_QUIT);
      sockets.remove(ready.client().socket());
      return true;
    } catch (UpstreamException e) {
      health.failed(String.valueOf(e.getMessage()));
      return false;
    } finally {
      permits.release();
    }
  }

  /** Closes connections whose write is overdue; to be called about once a second. */
  public void tick() {
    sockets.forEach(DeadlineSocket::closeIfOverdue);
  }

  /** How it fares. */
  public UpstreamState state() {
    return new UpstreamState(health.isUp(), health.problem(), identity(), permits.inUse());
  }

  /** Closes every connection in use; their sessions end with 451. */
  @Override
  public void close() {
    sockets.forEach(DeadlineSocket::closeQuietly);
  }

  private void takePermit(ClientIdentity client) throws UpstreamException {
    try {
      if (permits.take(client.address(), permitWait)) {
        warnedOfFullHouse.set(false);
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UpstreamReplies.busy("interrupted while waiting for a connection to the upstream");
    }
    listener.noFreeConnection();
    if (warnedOfFullHouse.compareAndSet(false, true)) {
      LOG.warn(
          "no connection to the upstream became free within {} s, mail is answered 451; of {} the"
              + " last quarter is kept for client networks that have not got their quarter; raise"
              + " downstream.max_connections if the mail server can bear it",
          permitWait.toSeconds(),
          settings.maxConnections());
    }
    throw UpstreamReplies.busy("no free connection to the upstream");
  }

  private void release(UpstreamClient connection, ClientIdentity client) {
    sockets.remove(connection.socket());
    permits.release(client.address());
  }

  /** A connection ready for MAIL; a failed opportunistic handshake is tried again in the clear. */
  private Ready connect(@Nullable ClientIdentity identity) throws UpstreamException {
    try {
      return connectOnce(identity, true);
    } catch (UpstreamHandshake.TlsFailedException e) {
      if (settings.tls() != UpstreamTls.OPPORTUNISTIC) {
        throw UpstreamFaults.of(e, "STARTTLS");
      }
      LOG.warn("{}; going on without encryption", e.getMessage());
    }
    try {
      return connectOnce(identity, false);
    } catch (UpstreamHandshake.TlsFailedException e) {
      throw UpstreamFaults.of(e, "STARTTLS");
    }
  }

  private Ready connectOnce(@Nullable ClientIdentity identity, boolean mayEncrypt)
      throws UpstreamException, UpstreamHandshake.TlsFailedException {
    UpstreamClient client = null;
    boolean done = false;
    try {
      client = connectAnyAddress(preface(identity));
      UpstreamHandshake handshake = new UpstreamHandshake(client, settings, hostName, identity);
      handshake.greeted(client.lastReply());
      UpstreamExtensions offered = handshake.hello(mayEncrypt);
      offered = handshake.identify(offered, xclientWorked);
      noteIdentity(identity, handshake.tookXclient());
      lastExtensions = offered;
      Ready ready = new Ready(client, offered, xforward(identity, offered));
      done = true;
      return ready;
    } catch (UpstreamHandshake.TlsFailedException e) {
      throw e;
    } catch (IOException e) {
      throw UpstreamFaults.of(
          e, client == null ? "connect or greeting" : "the start of the dialog");
    } finally {
      if (!done && client != null) {
        client.abandon();
        sockets.remove(client.socket());
      }
    }
  }

  /** Tries the host's addresses in order; each gets its share of the time that is left. */
  private UpstreamClient connectAnyAddress(byte[] preface) throws IOException {
    InetAddress[] addresses = InetAddress.getAllByName(settings.host());
    long end = nanoTime.getAsLong() + settings.connectTimeout().toNanos();
    IOException problem = new IOException("no address for " + settings.host());
    for (int i = 0; i < addresses.length; i++) {
      long share = Math.max(1, (end - nanoTime.getAsLong()) / (addresses.length - i));
      DeadlineSocket socket = new DeadlineSocket(nanoTime);
      UpstreamClient client = new UpstreamClient(socket, tls, settings, preface);
      sockets.add(socket);
      try {
        client.open(addresses[i], Duration.ofNanos(share));
        return client;
      } catch (IOException e) {
        client.abandon();
        sockets.remove(socket);
        if (socket.wasConnected()) {
          // It answers there: another address of the same host would be a second chance for a
          // server that is in trouble, at the client's expense.
          throw e;
        }
        problem = e;
      }
    }
    throw problem;
  }

  private byte[] preface(@Nullable ClientIdentity identity) {
    if (settings.clientAddress() != ClientAddress.PROXY_V2) {
      return new byte[0];
    }
    return identity == null ? ProxyHeader.local() : ProxyHeader.of(identity);
  }

  private List<String> xforward(@Nullable ClientIdentity client, UpstreamExtensions offered)
      throws UpstreamException {
    if (client == null || settings.clientAddress() != ClientAddress.XFORWARD) {
      return List.of();
    }
    List<String> commands = ClientAttributes.xforward(client, offered.xforwardAttributes());
    if (commands.isEmpty()) {
      throw UpstreamReplies.cannotUse(
          "upstream does not offer XFORWARD with ADDR, which client_address: xforward requires");
    }
    return commands;
  }

  private void noteIdentity(@Nullable ClientIdentity identity, boolean tookXclient) {
    if (tookXclient) {
      xclientWorked = true;
    } else if (identity != null
        && settings.clientAddress() == ClientAddress.AUTO
        && warnedOfAnonymity.compareAndSet(false, true)) {
      LOG.warn(
          "upstream does not offer XCLIENT: it takes all mail for ours; authorize this host for"
              + " XCLIENT there, or set downstream.client_address");
    }
  }

  private String identity() {
    return switch (settings.clientAddress()) {
      case AUTO, XCLIENT ->
          xclientWorked || lastExtensions.xclientAttributes().contains("ADDR") ? "xclient" : "none";
      case PROXY_V2 -> "proxy-v2";
      case XFORWARD -> "xforward";
      case NONE -> "none";
    };
  }
}
