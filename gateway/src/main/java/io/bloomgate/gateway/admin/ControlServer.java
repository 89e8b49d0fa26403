package io.bloomgate.gateway.admin;

import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the control socket, a Unix-domain socket whose permissions say who may command the
 * gateway.
 *
 * <p>One accepting thread and one thread a connection, all from the factory that the composition
 * root gives; {@link #tick} is called by its housekeeping about once a second.
 */
public final class ControlServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ControlServer.class);

  /** Connections at the same time; those who only watch ({@code tail}) included. */
  public static final int MAX_CONNECTIONS = 64;

  private final ServerSocketChannel server;
  private final ControlSocketFile file;
  private final RequestHandler conversation;
  private final ThreadFactory threads;
  private final SpareDescriptors spare = new SpareDescriptors();
  private final LongSupplier nanoTime;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Set<ControlConnection> connections = ConcurrentHashMap.newKeySet();

  private ControlServer(
      ControlSocketFile.Bound bound,
      RequestHandler conversation,
      ThreadFactory threads,
      LongSupplier nanoTime) {
    this.server = bound.channel();
    this.file = bound.file();
    this.conversation = conversation;
    this.threads = threads;
    this.nanoTime = nanoTime;
  }

  /**
   * Binds the socket; nobody is answered before {@link #start}.
   *
   * @param mode POSIX permission bits of the socket
   * @param nanoTime monotonic time in nanoseconds
   * @throws IOException when the path is taken by a live gateway or another file, is too long, or
   *     cannot be written; the message is fit for the operator
   */
  public static ControlServer open(
      Path socket,
      int mode,
      RequestHandler conversation,
      ThreadFactory threads,
      LongSupplier nanoTime)
      throws IOException {
    return new ControlServer(
        ControlSocketFile.bind(socket, mode, MAX_CONNECTIONS), conversation, threads, nanoTime);
  }

  /** Begins to answer. */
  public void start() {
    spare.refill();
    threads.newThread(this::acceptAll).start();
  }

  /** Closes connections that are overdue. */
  public void tick() {
    long now = nanoTime.getAsLong();
    connections.forEach(connection -> connection.closeIfOverdue(now));
    spare.refill();
  }

  /** Stops to listen, removes the socket file and closes every connection. */
  @Override
  public void close() {
    closed.countDown();
    spare.close();
    try {
      file.remove();
      server.close();
    } catch (IOException e) {
      LOG.warn("the control socket was not closed well: {}", Faults.words(e));
    }
    connections.forEach(ControlConnection::close);
  }

  private void acceptAll() {
    try {
      new AcceptLoop<>(
              server::accept,
              channel -> threads.newThread(() -> serve(channel)).start(),
              spare::release,
              this::rest)
          .run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** True when it was closed meanwhile. */
  private boolean rest() throws InterruptedException {
    return closed.await(AcceptLoop.REST.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void serve(SocketChannel channel) {
    ControlConnection connection = new ControlConnection(channel, conversation, nanoTime);
    connections.add(connection);
    try {
      if (connections.size() > MAX_CONNECTIONS && !makeRoom(connection)) {
        connection.turnAway("too many control connections", "try again when others have ended");
      } else {
        connection.run();
      }
    } catch (RuntimeException | Error e) {
      LOG.error("a control request failed", e);
      connection.close();
    } finally {
      connections.remove(connection);
      // At once, before sessions take the free descriptors.
      spare.refill();
    }
  }

  /** Closes the one that has said nothing for the longest time; false when all are at work. */
  private boolean makeRoom(ControlConnection newest) {
    Optional<ControlConnection> idle =
        connections.stream()
            .filter(connection -> connection != newest && connection.idle())
            .min(ControlConnection.BY_PATIENCE);
    idle.ifPresent(ControlConnection::close);
    return idle.isPresent();
  }
}
