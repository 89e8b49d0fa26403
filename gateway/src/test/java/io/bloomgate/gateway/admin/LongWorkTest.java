package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Work while a client waits, or has gone. */
class LongWorkTest {

  @Test
  void workThatMustEndGoesOnWhenTheClientHasGone() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    assertThrows(
        UncheckedIOException.class,
        () ->
            LongWork.finish(
                Thread::new,
                () -> {
                  gone.await();
                  return interrupted.complete(Thread.currentThread().isInterrupted());
                },
                () -> {
                  throw new UncheckedIOException(new IOException("gone"));
                }));
    gone.countDown();
    assertFalse(interrupted.join());
  }

  @Test
  void theResultComesAfterASignOfLife() throws Exception {
    int[] signs = new int[1];
    assertEquals(7, LongWork.finish(Thread::new, () -> 7, () -> signs[0]++));
    assertEquals(1, signs[0]);
  }
}
