package io.bloomgate.gateway.demo;

import io.bloomgate.config.name.IpAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.subethamail.smtp.MessageContext;
import org.subethamail.smtp.MessageHandler;
import org.subethamail.smtp.RejectException;
import org.subethamail.smtp.internal.proxy.ProxyHandler;
import org.subethamail.smtp.internal.proxy.ProxyProtocolV2Handler;
import org.subethamail.smtp.server.SMTPServer;

/**
 * The mail server behind the demo's gateway, which is SubEthaSMTP's own: it takes mail for every
 * recipient but one unknown user, keeps it in memory, and can be down. It learns the client from a
 * PROXY header of version 2. Called on the demo's thread; the library accepts on a thread that it
 * makes, and each connection has one of {@code threads}.
 */
final class DemoMailServer implements AutoCloseable {

  /** The local part that the server refuses with 550. */
  static final String UNKNOWN_USER = "nobody";

  private static final int MAX_MESSAGE_OCTETS = 52_428_800;

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

    /** True when this very message is inside, as it was sent. */
    boolean endsWith(byte[] message) {
      int start = content.length - message.length;
      return start >= 0
          && Arrays.equals(content, start, content.length, message, 0, message.length);
    }
  }

  private final ThreadFactory threads;
  private final ProxyHandler clients;
  private final List<Delivered> delivered = new CopyOnWriteArrayList<>();
  private @Nullable SMTPServer server;
  private int port;

  DemoMailServer(ThreadFactory threads) {
    this(threads, ProxyProtocolV2Handler.INSTANCE);
  }

  private DemoMailServer(ThreadFactory threads, ProxyHandler clients) {
    this.threads = threads;
    this.clients = clients;
  }

  /** One that takes the peer for the client, so that its connections can be kept. */
  static DemoMailServer withoutProxyHeader(ThreadFactory threads) {
    return new DemoMailServer(threads, ProxyHandler.NOP);
  }

  /**
   * Begins to listen, on the former port if it was up before.
   *
   * @throws IOException when the port cannot be bound
   */
  void up() throws IOException {
    SMTPServer next =
        SMTPServer.port(port)
            .bindAddress(InetAddress.getLoopbackAddress())
            .hostName("mail.company.example")
            .executorService(Executors.newThreadPerTaskExecutor(threads))
            .proxyHandler(clients)
            .maxMessageSize(MAX_MESSAGE_OCTETS)
            .insertReceivedHeaders(false)
            .messageHandlerFactory(Mail::new)
            .build();
    try {
      next.start();
    } catch (RuntimeException e) {
      // The library wraps what bind says.
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw e;
    }
    port = next.getPortAllocated();
    server = next;
  }

  /** Stops listening and drops every connection: from now on it is unreachable. */
  void down() {
    SMTPServer running = server;
    server = null;
    if (running != null) {
      running.stop();
    }
  }

  int port() {
    return port;
  }

  /** The mail in which this message was delivered. */
  Optional<Delivered> find(byte[] message) {
    return delivered.stream().filter(mail -> mail.endsWith(message)).findFirst();
  }

  /** Lets go of the mails that were taken. */
  void forget() {
    delivered.clear();
  }

  /** The number of mails that were taken. */
  int count() {
    return delivered.size();
  }

  @Override
  public void close() {
    down();
  }

  /** One transaction, on the thread of its connection. */
  private final class Mail implements MessageHandler {
    private final String client;

    Mail(MessageContext context) {
      client = address(context.getRemoteAddress());
    }

    @Override
    public void from(String from) {}

    @Override
    public void recipient(String recipient) throws RejectException {
      if (recipient.startsWith(UNKNOWN_USER + "@")) {
        throw new RejectException(
            550, "5.1.1 <" + recipient + ">: Recipient address rejected: User unknown");
      }
    }

    @Override
    public String data(InputStream content) throws IOException {
      delivered.add(new Delivered(client, content.readAllBytes()));
      return "2.0.0 Ok: taken";
    }

    @Override
    public void done() {}
  }

  private static String address(SocketAddress client) {
    return client instanceof InetSocketAddress internet && internet.getAddress() != null
        ? IpAddress.of(internet.getAddress()).toString()
        : "";
  }
}
