package io.bloomgate.gateway.session;

import io.bloomgate.gateway.wire.Watchdog;
import io.bloomgate.gateway.wire.WatchedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
 * One listening port: SubEthaSMTP's listener and nothing else of it (ARCHITECTURE section 7). Its
 * acceptor binds the port, asks the server socket for connections and ends when that is closed; the
 * server socket is ours and starts a conversation for each connection itself. The library would
 * make a session object with streams and a writer for each, on the thread of the one acceptor, and
 * nobody would use them: a fifth of the cost of refusing a listed client.
 *
 * <p>Made by the composition root, one a listener of the settings; the only class that sees the
 * library. To stop: {@link SessionRegistry#end}, {@link SessionRegistry#awaitEmpty}, {@link
 * SessionRegistry#closeAll}, then {@link #stop}, which waits for sessions for ever.
 */
public final class SubethaListener {

  /** Connections that the kernel may hold for us between two accepts. */
  private static final int BACKLOG = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(SubethaListener.class);

  private final SMTPServer server;
  private final SessionTask task;
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
    this.task = new SessionTask(services, registry);
    LongSupplier nanoTime = services.get().nanoTime();
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
  private void converse(WatchedSocket connection) throws IOException {
    try {
      conversations.execute(() -> task.run(connection));
    } catch (RuntimeException | Error e) {
      LOG.error("a connection was dropped: its conversation could not begin", e);
      connection.close();
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
        converse(connection);
      }
    }
  }
}
