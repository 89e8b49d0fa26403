package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * What is read by a deadline and after it, and how the watchdog ends a wait; on a clock that stands
 * still until the test moves it.
 */
final class WatchedSocketTest {

  private static final long SECOND = 1_000_000_000L;

  private final byte[] into = new byte[100];
  private volatile long now;
  private int timeoutMillis = -1;
  private final Watchdog watchdog = new Watchdog(() -> now);

  /** Always has this number of octets ready. */
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

  /** A socket that these octets come out of. */
  private final class Fed extends WatchedSocket {
    private final InputStream raw;

    Fed(InputStream raw) {
      super(() -> now, watchdog);
      this.raw = raw;
    }

    @Override
    protected InputStream rawInput() {
      return raw;
    }

    @Override
    public void setSoTimeout(int millis) {
      timeoutMillis = millis;
    }

    int read(byte[] octets, int offset, int length) throws IOException {
      return getInputStream().read(octets, offset, length);
    }
  }

  private Fed over(InputStream raw) {
    return new Fed(raw);
  }

  @Test
  void waitsNoLongerThanToTheEnd() throws IOException {
    Fed input = over(new Flood());
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
    Fed input = over(raw);
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
    Fed input = over(new Flood());
    input.unread(new byte[] {1, -1, 3});
    assertEquals(1, input.getInputStream().read());
    assertEquals(255, input.getInputStream().read());
    assertEquals(1, input.getInputStream().available());
    assertEquals(1, input.read(into, 0, 100));
    input.until(SECOND);
    assertEquals(100, input.read(into, 0, 100));
  }

  /** So a drain leaves the session able to close in order. */
  @Test
  void inputThatWasShutDownIsAtItsEnd() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        WatchedSocket socket = new WatchedSocket(() -> now, watchdog)) {
      socket.connect(server.getLocalSocketAddress());
      InputStream input = socket.getInputStream();
      socket.shutdownInput();
      assertSame(input, socket.getInputStream());
      assertEquals(0, input.available());
      socket.until(SECOND);
      assertEquals(-1, input.read());
    }
  }

  // ---- under the watchdog

  @Test
  void longWaitsNeedNoTimeoutWhileSomebodyGoesRound() throws IOException {
    Fed input = over(new Flood());
    watchdog.round();
    input.until(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(0, timeoutMillis);
    input.pauseUntil(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(300_000, timeoutMillis, "reading goes on behind it");
    input.until(4 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(4_000, timeoutMillis, "too short for the watchdog");
    now = 4 * SECOND;
    input.until(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(296_000, timeoutMillis, "nobody goes round any more");
  }

  /** A peer that is connected and sends nothing by itself. */
  private final class Silent implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final WatchedSocket socket = new WatchedSocket(() -> now, watchdog);
    private final Socket client;

    Silent() throws IOException {
      socket.connect(server.getLocalSocketAddress());
      client = server.accept();
    }

    int read(int octets) throws IOException {
      return socket.getInputStream().read(into, 0, octets);
    }

    /** Reads in another thread, which waits before this returns. */
    Future<Integer> reading(ExecutorService threads) throws InterruptedException {
      CountDownLatch began = new CountDownLatch(1);
      Future<Integer> result =
          threads.submit(() -> {
            began.countDown();
            return read(100);
          });
      began.await();
      return result;
    }

    @Override
    public void close() throws IOException {
      client.close();
      socket.close();
      server.close();
    }
  }

  @Test
  void theWatchdogEndsAnOverdueReadAndAReplyCanStillBeSent() throws Exception {
    watchdog.round();
    try (Silent silent = new Silent();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      silent.socket.until(300 * SECOND);
      Future<Integer> reading = silent.reading(threads);
      silent.socket.endIfOverdue(300 * SECOND);
      silent.client.getOutputStream().write('a');
      assertEquals(1, reading.get(), "a wait that is not overdue goes on");

      Future<Integer> again = silent.reading(threads);
      // Whether it waits already cannot be seen from here, so we go round until it is over.
      while (!again.isDone()) {
        silent.socket.endIfOverdue(300 * SECOND + 1);
        LockSupport.parkNanos(1_000_000);
      }
      ExecutionException late = assertThrows(ExecutionException.class, again::get);
      assertInstanceOf(SocketTimeoutException.class, late.getCause());
      assertThrows(SocketTimeoutException.class, () -> silent.read(100));
      silent.socket.getOutputStream().write('4');
      assertEquals('4', silent.client.getInputStream().read());
    }
  }

  @Test
  void theWatchdogEndsNothingWhileNobodyWaits() throws Exception {
    watchdog.round();
    try (Silent silent = new Silent()) {
      silent.socket.until(10 * SECOND);
      silent.client.getOutputStream().write("ab".getBytes(US_ASCII));
      assertEquals(1, silent.read(1));
      // The session is busy with what it read; the next wait will have another end.
      silent.socket.endIfOverdue(20 * SECOND);
      silent.socket.until(30 * SECOND);
      assertEquals(1, silent.read(1));
    }
  }

  @Test
  void theEndThatTheClientMakesIsNoTimeout() throws Exception {
    watchdog.round();
    try (Silent silent = new Silent()) {
      silent.socket.until(300 * SECOND);
      silent.client.close();
      assertEquals(-1, silent.read(100));
    }
  }

  /** Where nothing is read, a write waits once the buffers of both kernels are full. */
  @Test
  void theWatchdogClosesTheSocketUnderAnOverdueWrite() throws Exception {
    try (Silent silent = new Silent();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      silent.socket.until(300 * SECOND);
      byte[] much = new byte[1 << 20];
      Future<?> writing =
          threads.submit(() -> {
            while (true) {
              silent.socket.getOutputStream().write(much);
            }
          });
      silent.socket.endIfOverdue(300 * SECOND);
      assertFalse(silent.socket.isClosed(), "not overdue yet");
      while (!writing.isDone()) {
        silent.socket.endIfOverdue(300 * SECOND + 1);
        LockSupport.parkNanos(1_000_000);
      }
      ExecutionException late = assertThrows(ExecutionException.class, writing::get);
      assertInstanceOf(SocketTimeoutException.class, late.getCause());
      assertTrue(silent.socket.isClosed());
      assertTrue(silent.socket.closedAsOverdue());
    }
  }
}
