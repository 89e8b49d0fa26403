package io.bloomgate.gateway.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mail server behind the demo's gateway: it takes mail for everybody but one unknown user,
 * keeps it in memory, and can be down. One accepting thread, and one a connection.
 */
final class MailSink implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MailSink.class);

  /** A mail that was taken. Immutable. */
  static final class Delivered {
    private final String client;
    private final byte[] content;

    /**
     * A mail.
     *
     * @param client whom the gateway named as the client
     */
    Delivered(String client, byte[] content) {
      this.client = client;
      this.content = content.clone();
    }

    String client() {
      return client;
    }

    String text() {
      return new String(content, StandardCharsets.UTF_8);
    }

    /** Whether this very message is inside, as it was sent. */
    boolean endsWith(byte[] message) {
      int start = content.length - message.length;
      return start >= 0
          && Arrays.equals(content, start, content.length, message, 0, message.length);
    }
  }

  private final ThreadFactory threads;
  private final List<Delivered> delivered = new CopyOnWriteArrayList<>();
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private @Nullable ServerSocket server;
  private int port;

  MailSink(ThreadFactory threads) {
    this.threads = threads;
  }

  /** Begins to listen, on the former port if it was up before. */
  void up() throws IOException {
    ServerSocket socket = new ServerSocket();
    socket.setReuseAddress(true);
    socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    port = socket.getLocalPort();
    server = socket;
    threads.newThread(() -> acceptAll(socket)).start();
  }

  /** Stops listening and drops every connection: from now on it is unreachable. */
  void down() throws IOException {
    ServerSocket socket = server;
    server = null;
    if (socket != null) {
      socket.close();
    }
    for (Socket connection : connections) {
      connection.close();
    }
  }

  int port() {
    return port;
  }

  /** The mail in which this message was delivered. */
  Optional<Delivered> find(byte[] message) {
    return delivered.stream().filter(mail -> mail.endsWith(message)).findFirst();
  }

  /** How many mails were taken. */
  int count() {
    return delivered.size();
  }

  @Override
  public void close() throws IOException {
    down();
  }

  private void acceptAll(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        threads.newThread(() -> serve(connection)).start();
      } catch (IOException e) {
        LOG.debug("the sink stopped listening: {}", e.toString());
        return;
      }
    }
  }

  private void serve(Socket connection) {
    connections.add(connection);
    try (connection) {
      connection.setTcpNoDelay(true);
      new SinkDialog(connection, delivered::add).run();
    } catch (IOException e) {
      LOG.debug("a connection to the sink ended: {}", e.toString());
    } finally {
      connections.remove(connection);
    }
  }
}
