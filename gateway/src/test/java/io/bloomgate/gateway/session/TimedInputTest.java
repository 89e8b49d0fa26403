package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

/** What is read behind a deadline: all that had come by then, and no more. */
final class TimedInputTest {

  private static final long SECOND = 1_000_000_000L;

  private final byte[] into = new byte[100];
  private long now;
  private int timeoutMillis;

  /** Has so many octets at hand, however many are read. */
  private static final class Flood extends InputStream {
    private int atHand;

    @Override
    public int read() {
      throw new AssertionError("one octet at a time");
    }

    @Override
    public int read(byte[] octets, int offset, int length) {
      return length;
    }

    @Override
    public int available() {
      return atHand;
    }
  }

  private TimedInput over(InputStream raw) {
    Socket socket =
        new Socket() {
          @Override
          public void setSoTimeout(int millis) {
            timeoutMillis = millis;
          }
        };
    return new TimedInput(socket, raw, () -> now);
  }

  @Test
  void waitsNoLongerThanToTheEnd() throws IOException {
    TimedInput input = over(new Flood());
    input.until(3 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(3_000, timeoutMillis);
    now = 3 * SECOND - 1;
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(1, timeoutMillis, "0 would be for ever");
    now = 3 * SECOND;
    assertThrows(SocketTimeoutException.class, () -> input.read(into, 0, 100));
  }

  @Test
  void whatCameInTimeIsReadAndNoMore() throws IOException {
    Flood raw = new Flood();
    TimedInput input = over(raw);
    raw.atHand = 130;
    input.until(0);
    assertEquals(100, input.read(into, 0, 100));
    raw.atHand = 1_000;
    // Another deadline that has passed as well gives no new grace.
    input.until(-1);
    assertEquals(30, input.read(into, 0, 100));
    assertThrows(SocketTimeoutException.class, () -> input.read(into, 0, 100));
    input.until(SECOND);
    assertEquals(100, input.read(into, 0, 100));
    input.until(0);
    assertEquals(100, input.read(into, 0, 100), "a new silence has its own end");
  }

  @Test
  void whatWasReadAlreadyComesFirst() throws IOException {
    TimedInput input = over(new Flood());
    input.unread(new byte[] {1, -1, 3});
    assertEquals(1, input.read());
    assertEquals(255, input.read());
    assertEquals(1, input.available());
    assertEquals(1, input.read(into, 0, 100));
    input.until(SECOND);
    assertEquals(100, input.read(into, 0, 100));
  }

  /** So a drain leaves the session able to close in order. */
  @Test
  void inputThatWasShutDownIsAtItsEnd() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ClientSocket socket = new ClientSocket(() -> now)) {
      socket.connect(server.getLocalSocketAddress());
      TimedInput input = socket.getInputStream();
      socket.shutdownInput();
      assertSame(input, socket.getInputStream());
      assertEquals(0, input.available());
      input.until(SECOND);
      assertEquals(-1, input.read());
    }
  }
}
