package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
import org.junit.jupiter.api.Test;

/** What is read behind a deadline: all that had come by then, and no more. */
final class TimedInputTest {

  private static final long SECOND = 1_000_000_000L;

  private final byte[] into = new byte[100];
  private long now;
  private int timeoutMillis = -1;
  private final Watch watch = new Watch(() -> now);

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
    return new TimedInput(socket, raw, () -> now, watch);
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
        ClientSocket socket = new ClientSocket(() -> now, watch)) {
      socket.connect(server.getLocalSocketAddress());
      TimedInput input = socket.getInputStream();
      socket.shutdownInput();
      assertSame(input, socket.getInputStream());
      assertEquals(0, input.available());
      input.until(SECOND);
      assertEquals(-1, input.read());
    }
  }

  // ---- under the watch

  @Test
  void longWaitsNeedNoTimeoutWhileSomebodyGoesRound() throws IOException {
    TimedInput input = over(new Flood());
    watch.round();
    input.until(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(0, timeoutMillis);
    input.pauseUntil(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(300_000, timeoutMillis, "reading goes on behind it");
    input.until(4 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(4_000, timeoutMillis, "too short for the watch");
    now = 4 * SECOND;
    input.until(300 * SECOND);
    assertEquals(100, input.read(into, 0, 100));
    assertEquals(296_000, timeoutMillis, "nobody goes round any more");
  }

  /** A client that is connected and says nothing until it is told to. */
  private final class Silent implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ClientSocket socket = new ClientSocket(() -> now, watch);
    private final Socket client;
    private final TimedInput input;

    Silent() throws IOException {
      socket.connect(server.getLocalSocketAddress());
      client = server.accept();
      input = socket.getInputStream();
    }

    /** Reads in another thread, which waits before this returns. */
    Future<Integer> reading(ExecutorService threads) throws InterruptedException {
      CountDownLatch began = new CountDownLatch(1);
      Future<Integer> result =
          threads.submit(() -> {
            began.countDown();
            return input.read(into, 0, 100);
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
  void theWatchEndsAnOverdueWaitAndTheClientCanStillBeTold() throws Exception {
    watch.round();
    try (Silent silent = new Silent();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      silent.input.until(300 * SECOND);
      Future<Integer> reading = silent.reading(threads);
      silent.socket.endWaitIfOverdue(300 * SECOND);
      silent.client.getOutputStream().write('a');
      assertEquals(1, reading.get(), "a wait that is not overdue goes on");

      Future<Integer> again = silent.reading(threads);
      // Whether it waits already cannot be seen from here, so we go round until it is over.
      while (!again.isDone()) {
        silent.socket.endWaitIfOverdue(300 * SECOND + 1);
        Thread.onSpinWait();
      }
      ExecutionException late = assertThrows(ExecutionException.class, again::get);
      assertInstanceOf(SocketTimeoutException.class, late.getCause());
      assertThrows(SocketTimeoutException.class, () -> silent.input.read(into, 0, 100));
      silent.socket.getOutputStream().write('4');
      assertEquals('4', silent.client.getInputStream().read());
    }
  }

  @Test
  void theWatchLeavesAloneWhoDoesNotWait() throws Exception {
    watch.round();
    try (Silent silent = new Silent()) {
      silent.input.until(10 * SECOND);
      silent.client.getOutputStream().write("ab".getBytes(US_ASCII));
      assertEquals(1, silent.input.read(into, 0, 1));
      // The session is busy with what it read; the next wait will have another end.
      silent.socket.endWaitIfOverdue(20 * SECOND);
      silent.input.until(30 * SECOND);
      assertEquals(1, silent.input.read(into, 0, 1));
    }
  }

  @Test
  void theEndThatTheClientMakesIsNoTimeout() throws Exception {
    watch.round();
    try (Silent silent = new Silent()) {
      silent.input.until(300 * SECOND);
      silent.client.close();
      assertEquals(-1, silent.input.read(into, 0, 100));
    }
  }
}
