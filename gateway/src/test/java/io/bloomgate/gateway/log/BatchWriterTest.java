package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The thread between sessions and a disk: nothing that a batch does may end it. */
class BatchWriterTest {

  private final AtomicLong nanos = new AtomicLong();
  private final List<String> written = new ArrayList<>();

  private BatchWriter<String> writer(BatchWriter.Sink<String> sink) {
    return new BatchWriter<>(
        10,
        String::length,
        sink,
        BatchWriter.Batches.OF_LINES,
        nanos::get,
        Thread.ofPlatform().daemon().factory());
  }

  @Test
  void goesOnAfterAnError() {
    try (BatchWriter<String> writer =
        writer((batch, lost) -> {
          if (batch.contains("bad")) {
            throw new NoClassDefFoundError("Gone");
          }
          written.addAll(batch);
        })) {
      writer.start();
      writer.offer("bad");
      assertTrue(writer.awaitWritten());
      writer.offer("good");
      assertTrue(writer.awaitWritten());
      assertEquals(List.of("good"), written);
      assertFalse(writer.isLate());
    }
  }

  /** Few items can be as large as many; what is being written takes memory too. */
  @Test
  void isFullWhenItsItemsAreTooLarge() {
    List<Integer> batches = new ArrayList<>();
    List<Long> losses = new ArrayList<>();
    try (BatchWriter<String> writer =
        writer((batch, lost) -> {
          batches.add(batch.size());
          losses.add(lost);
        })) {
      String third = "x".repeat((int) (BatchWriter.MAX_QUEUED_OCTETS / 3));
      for (int i = 0; i < 5; i++) {
        writer.offer(third);
      }
      writer.start();
      assertTrue(writer.awaitWritten());
      assertEquals(List.of(3), batches);
      assertEquals(2, losses.getFirst());
      writer.offer(third);
      assertTrue(writer.awaitWritten());
      assertEquals(List.of(3, 1), batches, "there is room again");
    }
  }

  @Test
  void isLateWhileABatchHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (BatchWriter<String> writer =
        writer((batch, lost) -> {
          hangs.countDown();
          try {
            goesOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        })) {
      writer.start();
      nanos.addAndGet(Duration.ofDays(1).toNanos());
      assertFalse(writer.isLate(), "nothing to do is not late");
      writer.offer("one");
      hangs.await();
      assertFalse(writer.isLate());
      nanos.addAndGet(Duration.ofSeconds(31).toNanos());
      assertTrue(writer.isLate());
      goesOn.countDown();
      assertTrue(writer.awaitWritten());
      assertFalse(writer.isLate());
    }
  }
}
