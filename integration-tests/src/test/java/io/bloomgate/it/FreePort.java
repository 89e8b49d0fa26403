package io.bloomgate.it;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that must know its port before it listens. Taken from below the ports that
 * systems give out by themselves (Linux from 32768, others from 49152), so that no test beside this
 * one, whose servers ask for any port, gets it in the meantime.
 */
final class FreePort {

  private static final int FIRST = 12_000;
  private static final int LAST = 32_000;
  private static final int TRIES = 100;

  private FreePort() {}

  static int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
