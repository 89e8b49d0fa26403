package io.bloomgate.gateway.admin;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.settings.AdminSettings;
import io.bloomgate.gateway.admin.ControlSocketFile.WrongPathException;
import io.bloomgate.gateway.admin.RequestHandler.Caller;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the control socket, a Unix-domain socket whose permissions, or {@link SocketRoles},
 * say who may command the gateway.
 *
 * <p>One accepting thread and one thread a connection, all from the factory that the composition
 * root gives; {@link #tick} is called by its housekeeping about once a second.
 */
public final class ControlServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

  /** Connections at the same time; those who only watch ({@code tail}) included. */
  public static final int MAX_CONNECTIONS = 64;

  /** Connections with those that were closed while a directory of users is asked about them. */
  static final int MAX_ACCEPTED = 2 * MAX_CONNECTIONS;

  /** The time after which a socket that could not be made is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** The time between a failure to accept and the next try. */
  private static final Duration REST = Duration.ofMillis(100);

  private final Path socket;
  private final int mode;
  private final Function<SocketChannel, Caller> roles;
  private final RequestHandler conversation;
  private final ThreadFactory threads;
  private final LongSupplier nanoTime;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Set<ControlConnection> connections = ConcurrentHashMap.newKeySet();

  /** {@code null} while the socket cannot be made. Guarded by this. */
  private ControlSocketFile.@Nullable Bound bound;

  private boolean started;
  private long triedNanos;

  private ControlServer(
      Path socket,
      int mode,
      Function<SocketChannel, Caller> roles,
      RequestHandler conversation,
      ThreadFactory threads,
      LongSupplier nanoTime) {
    this.socket = socket;
    this.mode = mode;
    this.roles = roles;
    this.conversation = conversation;
    this.threads = threads;
    this.nanoTime = nanoTime;
  }

  /**
   * Binds the socket; nobody is answered before {@link #start}. Where the disk does not take the
   * socket now, as a full one, it is tried again.
   *
   * @param admin the socket and its permission bits
   * @param roles says who connects, as {@link SocketRoles}
   * @param stateDir whose socket may be missing while nothing can be written there
   * @param nanoTime monotonic time in nanoseconds
   * @throws AccessDeniedException when this user may not make it, and not in {@code stateDir}
   * @throws IOException when the path is taken by a live gateway or another file, or is too long;
   *     the message is fit for the operator
   */
  public static ControlServer open(
      AdminSettings admin,
      Function<SocketChannel, Caller> roles,
      Path stateDir,
      RequestHandler conversation,
      ThreadFactory threads,
      LongSupplier nanoTime)
      throws IOException {
    ControlServer server =
        new ControlServer(
            admin.socket(), admin.socketMode(), roles, conversation, threads, nanoTime);
    boolean ofState = stateDir.equals(admin.socket().getParent());
    try {
      server.bind();
    } catch (IOException e) {
      boolean wrong = e instanceof WrongPathException && !(ofState && Files.notExists(stateDir));
      if (wrong || (e instanceof AccessDeniedException && !ofState)) {
        throw e;
      }
      LOG.error(
          "no command is answered, because the control socket cannot be made, which is tried again:"
              + " {}",
          Faults.words(e));
    }
    return server;
  }

  private synchronized void bind() throws IOException {
    triedNanos = nanoTime.getAsLong();
    bound = ControlSocketFile.bind(socket, mode, MAX_CONNECTIONS);
  }

  /** Begins to answer. */
  public synchronized void start() {
    started = true;
    if (bound != null) {
      ServerSocketChannel server = bound.channel();
      threads.newThread(() -> acceptAll(server)).start();
    }
  }

  /** Closes connections that are overdue, and makes the socket that could not be made before. */
  public void tick() {
    long now = nanoTime.getAsLong();
    bindAgain(now);
    connections.forEach(connection -> connection.closeIfOverdue(now));
  }

  private synchronized void bindAgain(long now) {
    if (bound != null || !started || now - triedNanos < RETRY.toNanos() || closed.getCount() == 0) {
      return;
    }
    try {
      bind();
      LOG.info("commands are answered now");
      start();
    } catch (IOException e) {
      LOG.debug("the control socket cannot be made yet: {}", e.toString());
    }
  }

  /** Stops to listen, removes the socket file and closes every connection. */
  @Override
  public synchronized void close() {
    closed.countDown();
    try {
      if (bound != null) {
        bound.file().remove();
        bound.channel().close();
      }
    } catch (IOException e) {
      LOG.warn("the control socket was not closed well: {}", Faults.words(e));
    }
    connections.forEach(ControlConnection::close);
  }

  /**
   * Takes connections until the socket is closed. When that fails, as without free file
   * descriptors, it waits: the connection is still there later, and a loop without a pause would
   * only take a processor from mail.
   */
  private void acceptAll(ServerSocketChannel server) {
    boolean failing = false;
    boolean over = false;
    while (!over) {
      try {
        SocketChannel channel = server.accept();
        threads.newThread(() -> serve(channel)).start();
        failing = false;
      } catch (ClosedChannelException e) {
        over = true;
      } catch (IOException | RuntimeException | Error e) {
        if (!failing) {
          LOG.warn("control connections cannot be accepted: {}", Faults.words(e));
        }
        failing = true;
        over = rest();
      }
    }
  }

  /** True when it was closed meanwhile. */
  private boolean rest() {
    try {
      return closed.await(REST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private void serve(SocketChannel channel) {
    ControlConnection connection = new ControlConnection(channel, roles, conversation, nanoTime);
    connections.add(connection);
    try {
      int all = connections.size();
      if (all > MAX_ACCEPTED || (all > MAX_CONNECTIONS && !makeRoom(connection))) {
        connection.turnAway("too many control connections", "try again when others have ended");
      } else {
        connection.run();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("a control request failed", e);
      connection.close();
    } finally {
      connections.remove(connection);
    }
  }

  /** Closes the one that has said nothing for the longest time; false when all are at work. */
  private boolean makeRoom(ControlConnection newest) {
    Optional<ControlConnection> idle =
        connections.stream()
            .filter(connection -> connection != newest && connection.idle())
            .min(ControlConnection.BY_PATIENCE);
    // On its own thread: that one may still wait for a directory of users.
    idle.ifPresent(connection -> threads.newThread(connection::close).start());
    return idle.isPresent();
  }
}
