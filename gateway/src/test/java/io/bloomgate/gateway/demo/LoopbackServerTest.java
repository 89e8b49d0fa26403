package io.bloomgate.gateway.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

/** The mail server of the warm-up keeps nothing behind its end. */
final class LoopbackServerTest {

  private static final int MILLIS = 60_000;

  @Test
  void connectionsEndWithIt() throws Exception {
    LoopbackServer sink = new LoopbackServer(Thread.ofVirtual().factory(), false, mail -> {});
    sink.up();
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), sink.port())) {
      client.setSoTimeout(MILLIS);
      InputStream in = client.getInputStream();
      assertEquals('2', in.read(), "the greeting");
      sink.close();
      int last = 0;
      while (last >= 0) {
        last = read(in);
      }
    }
  }

  /** A connection may end in any way, but it does end. */
  private static int read(InputStream in) throws IOException {
    try {
      return in.read();
    } catch (SocketException _) {
      return -1;
    }
  }
}
