package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** More readers than processors, none of which ever waits, and somebody who comes later. */
final class ContentReadingTest {

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();
  private static final int READERS = PROCESSORS + 2;
  private static final int PIECES = 100_000;

  private final ContentReading turns =
      new ContentReading(0, null, SpamIntake.NONE, Runnable::run, PROCESSORS);
  private final CountDownLatch late = new CountDownLatch(1);
  private final AtomicInteger ended = new AtomicInteger();

  /** The last thread waits for a processor. */
  private volatile boolean waits;

  private volatile long work;

  @Test
  void whoComesLaterGetsAProcessor() throws Exception {
    assumeTrue(PROCESSORS > 1);
    AtomicInteger endedBefore = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      threads.add(Thread.ofVirtual().start(this::readOn));
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

  private void readOn() {
    int pieces = 0;
    while (pieces < PIECES && late.getCount() > 0) {
      turns.inTurn(() -> {
        piece();
        return true;
      });
      pieces += waits ? 1 : 0;
    }
    ended.incrementAndGet();
  }

  private void piece() {
    for (int i = 0; i < 1_000; i++) {
      work = work * 31 + i;
    }
  }
}
