package io.bloomgate.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port for a server that must know its port before it listens. Taken from below the ports that
 * systems give out by themselves (Linux from 32768, others from 49152), so that no test beside this
 * one, whose servers ask for any port, gets it in the meantime. Each process of tests takes its
 * ports from its own range, whose first port it listens on until it ends.
 */
final class FreePort {

  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;
  private static final int RANGE = 200;

  private static final ServerSocket OWN = takeRange();
  private static final AtomicInteger TAKEN = new AtomicInteger();

  private FreePort() {}

  static int next() {
    for (int i = 1; i < RANGE; i++) {
      int port = OWN.getLocalPort() + 1 + TAKEN.getAndIncrement() % (RANGE - 1);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port behind " + OWN.getLocalPort());
  }

  private static ServerSocket takeRange() {
    int ranges = (LAST - FIRST) / RANGE;
    int first = ThreadLocalRandom.current().nextInt(ranges);
    for (int i = 0; i < ranges; i++) {
      int port = FIRST + (first + i) % ranges * RANGE;
      try {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
      } catch (IOException e) {
        // It is another process's, or a server's.
      }
    }
    throw new IllegalStateException("no free range between " + FIRST + " and " + LAST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
