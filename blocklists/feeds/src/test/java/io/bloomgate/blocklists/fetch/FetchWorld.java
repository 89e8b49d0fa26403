package io.bloomgate.blocklists.fetch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;

/**
 * Names and addresses of the public world, all of which lead to loopback: a connection to
 * 203.0.113.0/24 is made to 127.0.0.1, and the address that was asked for is noted.
 */
final class FetchWorld {

  private final Map<String, Deque<String>> names = new ConcurrentHashMap<>();
  private final List<String> lookups = new CopyOnWriteArrayList<>();
  private final List<String> connections = new CopyOnWriteArrayList<>();
  private volatile String stalling = "";
  private Supplier<SSLContext> tls = WebClient.Means.ofJdk(Duration.ZERO, Duration.ZERO).tls();

  /** A name and what each lookup of it gives, the last for ever. */
  FetchWorld name(String name, String... addresses) {
    names.put(name, new ArrayDeque<>(List.of(addresses)));
    return this;
  }

  /** A name whose lookup ends with its thread only. */
  FetchWorld stalling(String name) {
    stalling = name;
    return this;
  }

  /** Whom clients trust. */
  FetchWorld trusting(SSLContext context) {
    tls = () -> context;
    return this;
  }

  /** What a client of this world is made of. */
  WebClient.Means means() {
    return new WebClient.Means(
        this::lookUp, new Sockets(), tls, Duration.ofSeconds(20), Duration.ofSeconds(20));
  }

  /** Names that were looked up. */
  List<String> lookups() {
    return lookups;
  }

  /** Addresses that were connected to. */
  List<String> connections() {
    return connections;
  }

  private InetAddress[] lookUp(String host) throws UnknownHostException {
    if (host.equals(stalling)) {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return resolve(host);
  }

  private synchronized InetAddress[] resolve(String host) throws UnknownHostException {
    lookups.add(host);
    Deque<String> answers = names.get(host);
    if (answers != null) {
      String answer = answers.size() > 1 ? answers.remove() : answers.getFirst();
      return new InetAddress[] {InetAddress.ofLiteral(answer)};
    }
    if (!host.matches("[0-9a-f:.]+")) {
      throw new UnknownHostException(host);
    }
    return InetAddress.getAllByName(host);
  }

  private final class Sockets extends SocketFactory {
    @Override
    public Socket createSocket() {
      return new Socket() {
        @Override
        public void connect(SocketAddress to, int timeout) throws IOException {
          InetSocketAddress asked = (InetSocketAddress) to;
          String address = asked.getAddress().getHostAddress();
          connections.add(address);
          boolean world = address.startsWith("203.0.113.");
          super.connect(
              world
                  ? new InetSocketAddress(InetAddress.getLoopbackAddress(), asked.getPort())
                  : asked,
              timeout);
        }
      };
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }
}
