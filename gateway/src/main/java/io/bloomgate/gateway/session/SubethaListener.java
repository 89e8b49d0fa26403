package io.bloomgate.gateway.session;

import io.bloomgate.gateway.log.ProbeTelemetry;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.ClientIdentity;
import io.bloomgate.gateway.smtp.Replies;
import io.bloomgate.gateway.wire.ClientWire;
import io.bloomgate.gateway.wire.Watchdog;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.subethamail.smtp.server.SMTPServer;

/**
 * One listening port, and each accepted socket from permit to close, on a separate thread. The port
 * is SubEthaSMTP's listener and nothing else of it (ARCHITECTURE section 7). Its acceptor binds the
 * port, asks the server socket for connections and ends when that is closed; the server socket is
 * ours and starts a conversation for each connection itself. The library would make a session
 * object with streams and a writer for each, on the thread of the one acceptor, and nobody would
 * use them: a fifth of the cost of refusing a listed client.
 *
 * <p>Made by the composition root, one a listener of the settings; the only class that sees the
 * library. To stop: {@link SessionRegistry#end}, {@link SessionRegistry#awaitEmpty}, {@link
 * SessionRegistry#closeAll}, then {@link #stop}, which waits for sessions for ever.
 */
public final class SubethaListener {

  /** Connections that the kernel may hold for us between two accepts. */
  private static final int BACKLOG = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(SubethaListener.class);

  /** Stack traces a minute: a client that finds a bug could fill the log with them. */
  private static final int BUG_LINES = 5;

  private final Supplier<SessionServices> services;
  private final SessionRegistry registry;
  private final Admission admission;
  private final WarningPace bugWarnings;
  private final SMTPServer server;
  private final ExecutorService conversations;
  private volatile @Nullable Thread acceptor;

  /**
   * A listener that does not listen yet.
   *
   * @param bind where; port 0 for any
   * @param services asked once a session
   * @param threads makes a session's thread: virtual ones
   */
  public SubethaListener(
      InetSocketAddress bind,
      Supplier<SessionServices> services,
      SessionRegistry registry,
      ThreadFactory threads) {
    this.services = services;
    this.registry = registry;
    SessionServices first = services.get();
    LongSupplier nanoTime = first.nanoTime();
    this.admission = new Admission(nanoTime, first.listener());
    registry.pressure().add(admission);
    this.bugWarnings = new WarningPace(nanoTime, BUG_LINES);
    Watchdog watchdog = registry.watchdog();
    this.conversations = Executors.newThreadPerTaskExecutor(threads);
    this.server =
        SMTPServer.port(bind.getPort())
            .bindAddress(bind.getAddress())
            .backlog(BACKLOG)
            .hostName(bind.getAddress().getHostAddress())
            .serverSocketFactory(() -> new ConversingSocket(nanoTime, watchdog))
            .build();
  }

  /**
   * Begins to listen.
   *
   * @return the port
   * @throws IOException when the address cannot be bound
   */
  public int start() throws IOException {
    try {
      server.start();
    } catch (RuntimeException e) {
      // The library wraps the exception of bind.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
    return server.getPortAllocated();
  }

  /** True when the thread that takes connections has ended before {@link #stop}. */
  public boolean isLate() {
    Thread thread = acceptor;
    return thread != null && !thread.isAlive() && !conversations.isShutdown();
  }

  /** Starts the conversation; where no thread can be made, only this connection is dropped. */
  private void begin(WatchedSocket connection) throws IOException {
    try {
      conversations.execute(() -> run(connection));
    } catch (RuntimeException | Error e) {
      LOG.error("a connection was dropped: its conversation could not begin", e);
      connection.close();
    }
  }

  /** Runs the conversation and closes the socket. Never throws. */
  void run(WatchedSocket socket) {
    SessionServices current = services.get();
    SessionServices.Reporting reporting =
        registry.isProbe(socket.getRemoteSocketAddress())
            ? current.reporting().to(new ProbeTelemetry(), current.nanoTime())
            : current.reporting();
    Duration limit = current.settings().limits().sessionTimeout();
    long end = current.nanoTime().getAsLong() + limit.toNanos();
    SessionControl control =
        new SessionControl(socket, Thread.currentThread(), end, registry.pressure());
    Telemetry telemetry = reporting.telemetry();
    Admission.Place place = admission.place(current.listener());
    boolean admitted = place.enter(control);
    registry.enter(control);
    telemetry.sessionOpened();
    try {
      converse(socket, current, reporting, control, place, admitted);
    } finally {
      place.leave();
      telemetry.sessionClosed();
      registry.leave(control);
    }
  }

  private void converse(
      WatchedSocket socket,
      SessionServices current,
      SessionServices.Reporting reporting,
      SessionControl control,
      Admission.Place place,
      boolean admitted) {
    try (socket) {
      ClientWire wire = ClientWire.plain(socket, current.settings().limits().commandTimeout());
      Session session =
          new Session(
              current,
              reporting,
              control,
              place,
              registry.contentBudget(),
              ClientIdentity.peerOf(socket),
              wire);
      try {
        new SmtpConversation(session, registry).run(admitted);
        // Before the last reading: a client that sends on keeps no place, and one that has seen the
        // close finds its place free when it comes again.
        place.leave();
        session.dialog().wire().linger();
        session.dialog().wire().close();
      } catch (RuntimeException | Error e) {
        bugWarnings.say(more ->
            LOG.error("session of {} ended by a bug{}", session.client().address(), more, e));
        // 421 may be sent at any time, RFC 5321 section 3.8.
        session.dialog().answerAndEnd(Replies.INTERNAL_ERROR);
        session.dialog().wire().flush();
      } finally {
        session.dialog().wire().abandon();
        session.reporter().ended();
      }
    } catch (IOException e) {
      LOG.debug("session ended: {}", e.toString());
    }
  }

  /** Stops listening, and waits until the last session is over. */
  public void stop() {
    server.stop();
    conversations.close();
  }

  /** Starts a conversation with each client. Runs on the library's acceptor. */
  private final class ConversingSocket extends ServerSocket {
    private final LongSupplier nanoTime;
    private final Watchdog watchdog;

    ConversingSocket(LongSupplier nanoTime, Watchdog watchdog) throws IOException {
      super();
      this.nanoTime = nanoTime;
      this.watchdog = watchdog;
      setReuseAddress(true);
    }

    /**
     * Never returns a connection.
     *
     * @throws IOException when the socket was closed, or none can be accepted for the moment: the
     *     library ends then, or tries again
     */
    @Override
    public Socket accept() throws IOException {
      while (true) {
        WatchedSocket connection = new WatchedSocket(nanoTime, watchdog);
        acceptor = Thread.currentThread();
        implAccept(connection);
        begin(connection);
      }
    }
  }
}
