package io.bloomgate.gateway.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Steps that take too long, on a clock that stands in the test. */
final class DeadlineSocketTest {

  private final AtomicLong now = new AtomicLong();
  private final Watch watch = new Watch(now::get);

  /** A server that is connected to and says nothing by itself. */
  private final class Silent implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final DeadlineSocket socket = new DeadlineSocket(now::get, watch);
    private final Socket server;

    Silent() throws IOException {
      socket.connect(listening.getLocalSocketAddress());
      server = listening.accept();
    }

    int read() throws IOException {
      return socket.getInputStream().read(new byte[10], 0, 10);
    }

    @Override
    public void close() throws IOException {
      server.close();
      socket.close();
      listening.close();
    }
  }

  @Test
  void aLongStepIsEndedByTheWatch() throws Exception {
    watch.round();
    try (Silent silent = new Silent();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      silent.socket.begin(Duration.ofMinutes(5));
      Future<Integer> answered = threads.submit(silent::read);
      silent.socket.closeIfOverdue();
      silent.server.getOutputStream().write('2');
      assertEquals(1, answered.get());
      assertEquals(0, silent.socket.getSoTimeout(), "the timer of the runtime stays asleep");

      now.addAndGet(Duration.ofMinutes(5).toNanos() + 1);
      silent.socket.closeIfOverdue();
      assertFalse(silent.socket.isClosed(), "nobody waits");
      watch.round();
      silent.socket.begin(Duration.ofMinutes(5));
      silent.socket.setSoTimeout(1);
      Future<Integer> waiting = threads.submit(silent::read);
      // From then on the reader has seen the clock.
      while (silent.socket.getSoTimeout() != 0) {
        Thread.onSpinWait();
      }
      now.addAndGet(Duration.ofMinutes(5).toNanos() + 1);
      // Whether it waits already cannot be seen from here, so we go round until it is over.
      while (!waiting.isDone()) {
        silent.socket.closeIfOverdue();
        Thread.onSpinWait();
      }
      ExecutionException late = assertThrows(ExecutionException.class, waiting::get);
      assertInstanceOf(SocketTimeoutException.class, late.getCause());
      assertTrue(silent.socket.isClosed());
    }
  }

  @Test
  void shortStepsAndThoseThatNobodyWatchesAreTimed() throws Exception {
    try (Silent silent = new Silent()) {
      silent.server.getOutputStream().write("220 hello".getBytes(US_ASCII));
      silent.socket.begin(Duration.ofMinutes(5));
      assertEquals(1, silent.socket.getInputStream().read(new byte[1], 0, 1));
      assertEquals(300_000, silent.socket.getSoTimeout());
      watch.round();
      silent.socket.begin(Duration.ofMillis(20));
      assertEquals('2', silent.socket.getInputStream().read());
      assertEquals(20, silent.socket.getSoTimeout());
      assertEquals(7, silent.read());
      assertThrows(SocketTimeoutException.class, silent::read);
    }
  }
}
