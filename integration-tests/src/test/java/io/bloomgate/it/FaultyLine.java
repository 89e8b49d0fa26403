package io.bloomgate.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy on loopback that can be slow, cut all connections, and lead to another server. The
 * test's thread sets it; its own threads pass octets.
 */
final class FaultyLine implements AutoCloseable {

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile int target;
  private volatile long delayMillis;

  FaultyLine(int target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Holds each piece that the server sends for this time. */
  void delay(long millis) {
    delayMillis = millis;
  }

  /** Cuts all connections; new ones lead there. */
  void leadTo(int port) {
    target = port;
    cut();
  }

  /** Cuts all connections. */
  void cut() {
    open.forEach(FaultyLine::close);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Socket server = new Socket();
        open.add(server);
        Thread.ofVirtual().start(() -> connect(client, server));
      } catch (IOException e) {
        // It ends, or the client has gone.
      }
    }
  }

  private void connect(Socket client, Socket server) {
    try {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      Thread.ofVirtual().start(() -> pass(client, server, false));
      pass(server, client, true);
    } catch (IOException e) {
      close(client);
    }
  }

  private void pass(Socket from, Socket to, boolean slowly) {
    byte[] octets = new byte[16 << 10];
    try {
      InputStream in = from.getInputStream();
      for (int n = in.read(octets); n >= 0; n = in.read(octets)) {
        if (slowly && delayMillis > 0) {
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMillis));
        }
        to.getOutputStream().write(octets, 0, n);
      }
    } catch (IOException e) {
      // One of them has gone.
    } finally {
      close(from);
      close(to);
      open.remove(from);
      open.remove(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
