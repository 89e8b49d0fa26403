package io.bloomgate.gateway.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.subethamail.smtp.server.SMTPServer;
import org.subethamail.smtp.server.Session;
import org.subethamail.smtp.server.SessionHandler;

/**
 * One listening port: SubEthaSMTP's accept loop and session threads, and nothing else of it
 * (ARCHITECTURE section 7). The whole conversation runs inside {@link SessionHandler#accept},
 * before the library has written an octet; then the session is told to quit, so that its own
 * command loop never reads one. Made by the composition root, one a listener of the settings; the
 * only class that sees the library.
 *
 * <p>To stop: {@link SessionRegistry#end}, {@link SessionRegistry#awaitEmpty}, {@link
 * SessionRegistry#closeAll}, then {@link #stop}, which waits for sessions for ever.
 */
public final class SubethaListener {

  /** Connections that the kernel may hold for us between two accepts. */
  private static final int BACKLOG = 1024;

  /** The library's own limit stands above any of ours: at it, its accept loop blocks. */
  private static final int LIBRARY_MAX_CONNECTIONS = 1_000_000;

  /** Ours are set before each read; this one must only never be the first. */
  private static final int LIBRARY_TIMEOUT_MILLIS = 24 * 3600 * 1000;

  private final SMTPServer server;
  private final SessionRunner runner;

  /**
   * A listener that does not listen yet.
   *
   * @param bind where; port 0 for any
   * @param environment asked once a session
   * @param threads makes a session's thread: virtual ones
   */
  public SubethaListener(
      InetSocketAddress bind,
      Supplier<SessionEnvironment> environment,
      SessionRegistry registry,
      ThreadFactory threads) {
    this.runner = new SessionRunner(environment, registry);
    LongSupplier nanoTime = environment.get().nanoTime();
    this.server =
        SMTPServer.port(bind.getPort())
            .bindAddress(bind.getAddress())
            .backlog(BACKLOG)
            .maxConnections(LIBRARY_MAX_CONNECTIONS)
            .connectionTimeoutMs(LIBRARY_TIMEOUT_MILLIS)
            .insertReceivedHeaders(false)
            .hostName(bind.getAddress().getHostAddress())
            .executorService(Executors.newThreadPerTaskExecutor(threads))
            .serverSocketFactory(() -> new ClientServerSocket(nanoTime))
            .sessionHandler(new WholeConversation())
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
      // The library wraps what bind says.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
    return server.getPortAllocated();
  }

  /** Stops listening, and waits until the last session is over. */
  public void stop() {
    server.stop();
  }

  /** Runs conversations in place of the library's command loop. */
  private final class WholeConversation implements SessionHandler {
    @Override
    public SessionAcceptance accept(Session session) {
      try {
        shrink(session);
        runner.run((ClientSocket) session.getSocket());
      } finally {
        session.quit();
      }
      return SessionAcceptance.success();
    }

    /**
     * Has the library make the buffers again that it made on its acceptor's thread: on a virtual
     * one the JDK's writer begins with 1 kB in place of 16, and it is never used.
     */
    private static void shrink(Session session) {
      try {
        session.setSocket(session.getSocket());
      } catch (IOException e) {
        // The peer has gone already, which the conversation finds out too.
      }
    }

    @Override
    public void onSessionEnd(Session session) {
      // The runner has cleaned up.
    }
  }

  private static final class ClientServerSocket extends ServerSocket {
    private final LongSupplier nanoTime;

    ClientServerSocket(LongSupplier nanoTime) throws IOException {
      super();
      this.nanoTime = nanoTime;
      setReuseAddress(true);
    }

    @Override
    public Socket accept() throws IOException {
      Socket socket = new ClientSocket(nanoTime);
      implAccept(socket);
      return socket;
    }
  }
}
