package io.bloomgate.gateway.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A mail server on loopback that obliges in everything, save where a test has it do otherwise: any
 * step can be answered with any octets, stalled, dropped or reset.
 *
 * <p>Steps are the verbs in capitals, and {@link #CONNECT}, {@link #CONTENT}, {@link #FINAL_DOT}.
 * Used by the tests of the gateway and by the stories of integration-tests; each connection has its
 * own thread.
 */
public final class ScriptedUpstream implements AutoCloseable {

  /** The client has connected; the usual answer is the greeting. */
  public static final String CONNECT = "connect";

  /** 354 was sent and no content octet is read yet; usually nothing happens. */
  public static final String CONTENT = "content";

  /** The whole message was read. */
  public static final String FINAL_DOT = ".";

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What is done at a step, in place of the usual. */
  public interface Action {
    /** Called on the connection's thread. */
    void act(UpstreamConnection connection) throws IOException;
  }

  /**
   * A message that was answered 250 at its final dot.
   *
   * @param from argument of MAIL with its parameters
   * @param to arguments of RCPT with theirs, only those that were answered 250
   * @param content without dot-stuffing and final dot, one character an octet
   */
  public record Delivery(String from, List<String> to, String content) {}

  private final ServerSocket server;
  private final Thread acceptor = Thread.ofVirtual().unstarted(this::acceptAll);
  private final Map<String, Deque<Action>> scripts = new ConcurrentHashMap<>();
  private final Map<String, Action> habits = new ConcurrentHashMap<>();
  private final List<UpstreamConnection> connections = new CopyOnWriteArrayList<>();
  private final BlockingQueue<UpstreamConnection> arrivals = new LinkedBlockingQueue<>();
  private final BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
  private final AtomicInteger delivered = new AtomicInteger();
  private volatile List<String> keywords = List.of();
  private volatile boolean proxyHeader;
  private volatile @Nullable SSLContext tls;

  private ScriptedUpstream(ServerSocket server) {
    this.server = server;
  }

  /** Listens on a free port of 127.0.0.1. */
  public static ScriptedUpstream start() {
    try {
      ScriptedUpstream upstream =
          new ScriptedUpstream(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()));
      upstream.acceptor.start();
      return upstream;
    } catch (IOException e) {
      throw new IllegalStateException("no port for a test server", e);
    }
  }

  /** The lines of the EHLO reply below the greeting. */
  public ScriptedUpstream offering(String... lines) {
    keywords = List.of(lines);
    return this;
  }

  /** STARTTLS is answered with a handshake on this. */
  public ScriptedUpstream withTls(SSLContext context) {
    tls = context;
    return this;
  }

  /** A PROXY header is read before the greeting. */
  public ScriptedUpstream behindProxy() {
    proxyHeader = true;
    return this;
  }

  /** The next times this step is reached, over all connections; afterwards as usual. */
  public ScriptedUpstream on(String step, Action... actions) {
    Deque<Action> queue = scripts.computeIfAbsent(step, s -> new ArrayDeque<>());
    synchronized (queue) {
      queue.addAll(List.of(actions));
    }
    return this;
  }

  /** The next times this step is reached it is answered with these lines. */
  public ScriptedUpstream on(String step, String... replies) {
    for (String reply : replies) {
      on(step, (Action) connection -> connection.reply(reply));
    }
    return this;
  }

  /** Whenever this step is reached and nothing else is scripted. */
  public ScriptedUpstream always(String step, Action action) {
    habits.put(step, action);
    return this;
  }

  /** Ends what {@link #always} began. */
  public ScriptedUpstream usual(String step) {
    habits.remove(step);
    return this;
  }

  /** The port on 127.0.0.1. */
  public int port() {
    return server.getLocalPort();
  }

  /** All connections so far, in the order of their arrival. */
  public List<UpstreamConnection> connections() {
    return List.copyOf(connections);
  }

  /** The next connection that was not asked for yet; waits for it. */
  public UpstreamConnection nextConnection() {
    return next(arrivals, "connection");
  }

  /** The next delivered message that was not asked for yet; waits for it. */
  public Delivery nextDelivery() {
    return next(deliveries, "delivery");
  }

  /** How many messages were answered 250. */
  public int deliveredCount() {
    return delivered.get();
  }

  private static <T> T next(BlockingQueue<T> queue, String what) {
    try {
      T found = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (found == null) {
        throw new AssertionError("no " + what + " at the upstream within " + PATIENCE);
      }
      return found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Stops listening and drops every connection. */
  @Override
  public void close() {
    stopListening();
    connections.forEach(UpstreamConnection::drop);
  }

  /** Stops listening; connections go on. */
  public void stopListening() {
    try {
      server.close();
      // The port is closed only when the thread that waits in accept has left.
      acceptor.join();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void acceptAll() {
    while (true) {
      Socket socket;
      try {
        socket = server.accept();
      } catch (IOException e) {
        return;
      }
      UpstreamConnection connection = new UpstreamConnection(this, socket);
      connections.add(connection);
      arrivals.add(connection);
      Thread.ofVirtual().start(connection::serve);
    }
  }

  Optional<Action> scripted(String step) {
    Deque<Action> queue = scripts.get(step);
    if (queue != null) {
      synchronized (queue) {
        Action next = queue.poll();
        if (next != null) {
          return Optional.of(next);
        }
      }
    }
    return Optional.ofNullable(habits.get(step));
  }

  boolean awaitsProxyHeader() {
    return proxyHeader;
  }

  List<String> keywords() {
    return keywords;
  }

  Optional<SSLContext> tls() {
    return Optional.ofNullable(tls);
  }

  int nextNumber() {
    return delivered.get() + 1;
  }

  void delivered(Delivery delivery) {
    delivered.incrementAndGet();
    deliveries.add(delivery);
  }
}
