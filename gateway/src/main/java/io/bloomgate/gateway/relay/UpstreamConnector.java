package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.settings.Settings.Downstream;
import io.bloomgate.config.settings.Settings.Downstream.ClientAddress;
import io.bloomgate.config.settings.Settings.Downstream.UpstreamTls;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.wire.ProxyHeader;
import io.bloomgate.gateway.wire.Watchdog;
import io.bloomgate.gateway.wire.WatchedSocket;
import io.bloomgate.gateway.wire.tls.TlsContext;
import io.bloomgate.gateway.wire.tls.TlsEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes connections to one server that carry a client's identity, and gives an idle one another
 * identity. Used by {@link MailServer} on session and probing threads; thread-safe.
 */
final class UpstreamConnector {

  private static final Logger LOG = LoggerFactory.getLogger(UpstreamConnector.class);

  /** Log lines a minute about connections without encryption. */
  private static final int CLEAR_LINES = 5;

  /** The attribute of XCLIENT and XFORWARD without which the others are of no use. */
  private static final String ADDRESS = "ADDR";

  private final Downstream settings;
  private final String hostName;
  private final LongSupplier nanoTime;

  /** The way to encrypt that worked last. */
  private volatile TlsContext tls;

  private final String server;
  private final ServerMemory memory;
  private final Watchdog watchdog;
  private final WarningPace clearWarnings;
  private final Set<WatchedSocket> sockets = ConcurrentHashMap.newKeySet();

  private volatile String lastGreeting = "";
  private volatile String ownAddress = "";
  private volatile boolean identityLost;

  /**
   * @param hostName what we call ourselves in EHLO
   * @param nanoTime a monotonic clock, nanoseconds
   * @param tls decides which certificates are good enough
   * @param memory outlives this connector
   */
  UpstreamConnector(
      Downstream settings,
      String hostName,
      LongSupplier nanoTime,
      TlsContext tls,
      ServerMemory memory) {
    this.server = new HostPort(settings.host(), settings.port()).toString();
    this.memory = memory;
    this.settings = settings;
    this.hostName = hostName;
    this.nanoTime = nanoTime;
    this.tls = tls;
    this.clearWarnings = new WarningPace(nanoTime, CLEAR_LINES);
    this.watchdog = new Watchdog(nanoTime);
  }

  /**
   * Decides which certificates are good enough. With {@code verify}: the name, and a chain to an
   * authority that the Java installation trusts. Else: any certificate, against eavesdroppers only
   * (RFC 7435), as mail servers on private networks rarely have one that can be verified.
   */
  static TlsContext encryption(UpstreamTls tls, TlsEngine engine) {
    return tls == UpstreamTls.VERIFY
        ? TlsContext.verified(engine, null)
        : TlsContext.anyServer(engine);
  }

  /** Host and port. */
  String server() {
    return server;
  }

  /** Returns what the server offered last; nothing when it never answered. */
  UpstreamExtensions lastExtensions() {
    UpstreamExtensions last = memory.offers(server);
    return last == null ? UpstreamExtensions.NONE : last;
  }

  /** True when the server has answered, to this gateway or to the one before a restart. */
  boolean offersKnown() {
    return memory.offers(server) != null;
  }

  /** Returns the first reply of the last connection, printable; empty before that. */
  String lastGreeting() {
    return lastGreeting;
  }

  /** Returns our end of the last connection, which the server must trust; empty before that. */
  String ownAddress() {
    return ownAddress;
  }

  /** Closes connections that wait longer than they may. To be called about once a second. */
  void closeOverdue() {
    long now = watchdog.round();
    sockets.forEach(socket -> socket.endIfOverdue(now));
  }

  /** Closes every connection, in use or not. */
  void closeAll() {
    sockets.forEach(WatchedSocket::closeQuietly);
  }

  /** The connection was closed and needs no watching. */
  void forget(UpstreamClient connection) {
    sockets.remove(connection.socket());
  }

  /**
   * A connection ready for MAIL; after a failed handshake it is made again by Java's engine, and
   * after a failed opportunistic one without encryption.
   *
   * @param identity {@code null} for a probe, which uses our own name
   */
  UpstreamClient connect(@Nullable ClientIdentity identity) throws UpstreamException {
    try {
      return connectEncrypted(identity);
    } catch (UpstreamHandshake.TlsFailedException e) {
      if (settings.tls() != UpstreamTls.OPPORTUNISTIC) {
        throw UpstreamException.of(e, "STARTTLS");
      }
      clearWarnings.say(
          more -> LOG.warn("{}; going on without encryption{}", e.getMessage(), more));
    }
    try {
      return connectOnce(identity, null);
    } catch (UpstreamHandshake.TlsFailedException e) {
      throw UpstreamException.of(e, "STARTTLS");
    }
  }

  private UpstreamClient connectEncrypted(@Nullable ClientIdentity identity)
      throws UpstreamException, UpstreamHandshake.TlsFailedException {
    TlsContext used = tls;
    try {
      return connectOnce(identity, used);
    } catch (UpstreamHandshake.TlsFailedException e) {
      TlsContext byJava = used.byJava();
      if (byJava == null || e.getCause() instanceof SocketTimeoutException) {
        throw e;
      }
      UpstreamClient client = connectOnce(identity, byJava);
      LOG.info("{}; Java's engine encrypts to {} from now on", e.getMessage(), server);
      tls = byJava;
      return client;
    }
  }

  /**
   * True when the connection of one client may become another's. A PROXY header is sent once,
   * before the greeting. XCLIENT may be sent again if the server still allows it after it took us
   * for the client; Postfix does not. Where the server learns no client, or learns it by XFORWARD
   * before each MAIL, it keeps no earlier client.
   */
  boolean mayServeAnother(UpstreamClient connection) {
    return switch (settings.clientAddress()) {
      case PROXY_V1, PROXY_V2 -> false;
      case XCLIENT, AUTO ->
          !connection.namedByXclient()
              || connection.extensions().xclientAttributes().contains(ADDRESS);
      case XFORWARD, NONE -> true;
    };
  }

  /** Makes the connection of one client another's; after XCLIENT the server starts again for it. */
  void rename(UpstreamClient connection, ClientIdentity identity)
      throws IOException, UpstreamException {
    if (settings.clientAddress() == ClientAddress.NONE) {
      return;
    }
    // A server that is gone does not answer; on a new connection it has the full time.
    Downstream hurried = settings.within(settings.connectTimeout(), settings.connectTimeout());
    UpstreamHandshake handshake =
        new UpstreamHandshake(connection, hurried, hostName, announced(identity));
    UpstreamExtensions offered =
        handshake.identify(connection.extensions(), memory.tookXclient(server));
    connection.speaksFor(offered, handshake.tookXclient(), xforward(identity, offered));
  }

  /**
   * Connects.
   *
   * @param encryption {@code null} for none
   */
  private UpstreamClient connectOnce(
      @Nullable ClientIdentity named, @Nullable TlsContext encryption)
      throws UpstreamException, UpstreamHandshake.TlsFailedException {
    UpstreamClient client = null;
    boolean done = false;
    try {
      TlsContext context = encryption == null ? tls : encryption;
      client = connectAnyAddress(context, connected -> preface(named, connected));
      // A server demands of a probe what it demands of all clients.
      ClientIdentity identity = named == null ? ourselves(client.socket()) : announced(named);
      UpstreamHandshake handshake = new UpstreamHandshake(client, settings, hostName, identity);
      lastGreeting = client.lastReply().forLog();
      ownAddress = IpAddress.of(client.socket().getLocalAddress()).toString();
      handshake.greeted(client.lastReply());
      UpstreamExtensions offered = handshake.hello(encryption != null);
      identityLost = lacksIdentity(offered);
      offered = handshake.identify(offered, memory.tookXclient(server));
      memory.remember(server, offered, handshake.tookXclient());
      client.speaksFor(offered, handshake.tookXclient(), xforward(identity, offered));
      done = true;
      return client;
    } catch (UpstreamHandshake.TlsFailedException e) {
      throw e;
    } catch (IOException e) {
      throw UpstreamException.of(
          e, client == null ? "connect or greeting" : "the start of the dialog");
    } finally {
      if (!done && client != null) {
        client.abandon();
        sockets.remove(client.socket());
      }
    }
  }

  /** Tries the host's addresses in order; each gets its share of the time that is left. */
  private UpstreamClient connectAnyAddress(TlsContext context, Function<Socket, byte[]> preface)
      throws IOException {
    InetAddress[] addresses = InetAddress.getAllByName(settings.host());
    long end = nanoTime.getAsLong() + settings.connectTimeout().toNanos();
    IOException problem = new IOException("no address for " + settings.host());
    for (int i = 0; i < addresses.length; i++) {
      long share = Math.max(1, (end - nanoTime.getAsLong()) / (addresses.length - i));
      WatchedSocket socket = new WatchedSocket(nanoTime, watchdog);
      UpstreamClient client =
          new UpstreamClient(socket, context, settings, preface, nanoTime.getAsLong());
      sockets.add(socket);
      try {
        client.open(addresses[i], Duration.ofNanos(share));
        return client;
      } catch (IOException e) {
        client.abandon();
        sockets.remove(socket);
        if (socket.isConnected()) {
          // The server answers at this address. Another address is not tried: it would be the
          // same server in trouble, and the client waits.
          throw e;
        }
        problem = e;
      }
    }
    throw problem;
  }

  /**
   * Makes the PROXY header, LOCAL or ours for a probe: UNKNOWN of version 1 gets 421 of Postfix.
   */
  private byte[] preface(@Nullable ClientIdentity named, Socket socket) {
    return switch (settings.clientAddress()) {
      case PROXY_V1 -> (named == null ? ourselves(socket) : named).proxied().v1();
      case PROXY_V2 -> (named == null ? new ProxyHeader.Unknown() : named.proxied()).v2();
      case AUTO, XCLIENT, XFORWARD, NONE -> new byte[0];
    };
  }

  private ClientIdentity announced(ClientIdentity client) {
    return settings.reverseNames() ? client : client.unnamed();
  }

  /** Our own identity, as the server sees the connection. */
  private ClientIdentity ourselves(Socket socket) {
    return new ClientIdentity(
        IpAddress.of(socket.getLocalAddress()),
        socket.getLocalPort(),
        hostName,
        true,
        IpAddress.of(socket.getInetAddress()),
        socket.getPort());
  }

  private List<String> xforward(ClientIdentity client, UpstreamExtensions offered)
      throws UpstreamException {
    if (settings.clientAddress() != ClientAddress.XFORWARD) {
      return List.of();
    }
    List<String> commands = announced(client).xforward(offered.xforwardAttributes());
    if (commands.isEmpty()) {
      throw UpstreamException.cannotUse(
          "mail server does not offer XFORWARD with ADDR, which client_address: xforward requires");
    }
    return commands;
  }

  /**
   * True when the server learns names of clients, or may learn them: before its first EHLO reply it
   * may announce anything.
   */
  boolean tellsNames() {
    UpstreamExtensions offered = lastExtensions();
    return settings.reverseNames()
        && switch (settings.clientAddress()) {
          case AUTO, XCLIENT ->
              offered.equals(UpstreamExtensions.NONE)
                  || memory.tookXclient(server)
                  || ClientIdentity.tellName(offered.xclientAttributes());
          case XFORWARD -> true;
          case PROXY_V1, PROXY_V2, NONE -> false;
        };
  }

  /** True when a server that has to take the client's address does not offer to. */
  private boolean lacksIdentity(UpstreamExtensions offered) {
    return switch (settings.clientAddress()) {
      case XCLIENT -> !offered.xclientAttributes().contains(ADDRESS);
      case AUTO -> memory.tookXclient(server) && !offered.xclientAttributes().contains(ADDRESS);
      case XFORWARD -> !offered.xforwardAttributes().contains(ADDRESS);
      case PROXY_V1, PROXY_V2, NONE -> false;
    };
  }

  /** True when the server did not offer at the last connection to take the client's address. */
  boolean identityLost() {
    return identityLost;
  }

  /**
   * True when the settings let the gateway find a way to make clients known, and the server that
   * was reached offers none.
   */
  boolean foundNoWay() {
    return settings.clientAddress() == ClientAddress.AUTO && identity().equals("none");
  }

  /** Names the way in which the server gets the client's address, for {@code status}. */
  String identity() {
    return switch (settings.clientAddress()) {
      case AUTO, XCLIENT ->
          memory.tookXclient(server) || lastExtensions().xclientAttributes().contains(ADDRESS)
              ? "xclient"
              : "none";
      case PROXY_V1 -> "proxy-v1";
      case PROXY_V2 -> "proxy-v2";
      case XFORWARD -> "xforward";
      case NONE -> "none";
    };
  }
}
