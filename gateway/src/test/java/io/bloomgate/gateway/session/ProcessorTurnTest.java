package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One reader for each processor, none of which ever waits, and somebody who comes later. */
final class ProcessorTurnTest {

  private static final int PIECE = 8 * 1024;
  private static final int PIECES = 10_000_000;

  /** The last thread waits for a processor. */
  private volatile boolean waits;

  @Test
  void whoComesLaterGetsATurn() throws Exception {
    int readers = Runtime.getRuntime().availableProcessors();
    CountDownLatch late = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    AtomicInteger endedBefore = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                ProcessorTurn turn = new ProcessorTurn();
                for (int piece = 0; piece < PIECES && late.getCount() > 0; ) {
                  turn.took(PIECE);
                  piece += waits ? 1 : 0;
                }
                ended.incrementAndGet();
              }));
    }
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              endedBefore.set(ended.get());
              late.countDown();
            }));
    waits = true;
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, endedBefore.get(), "readers that ended first");
  }
}
