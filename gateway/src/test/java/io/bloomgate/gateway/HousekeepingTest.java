package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.gateway.testkit.LogLines;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** The one thread that looks after everything: nothing that a chore does may end it. */
class HousekeepingTest {

  private final AtomicLong nanos = new AtomicLong();

  private Housekeeping housekeeping() {
    return new Housekeeping(nanos::get, name -> Thread.ofPlatform().name(name).daemon().factory());
  }

  @Test
  void goesOnAfterAnError() throws Exception {
    CountDownLatch rounds = new CountDownLatch(2);
    AtomicInteger slow = new AtomicInteger();
    try (LogLines log = new LogLines(Housekeeping.class);
        Housekeeping chores = housekeeping()) {
      chores.eachSecond(
          "broken",
          () -> {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            throw new ExceptionInInitializerError("no such class");
          });
      chores.everySlowly(Duration.ofSeconds(1), "slow", slow::incrementAndGet);
      chores.eachSecond("next", rounds::countDown);
      chores.start();
      assertTrue(rounds.await(60, TimeUnit.SECONDS));
      assertEquals("ERROR broken failed and will be tried again", log.warnings().getFirst());
    }
    assertTrue(slow.get() > 0);
  }

  /** The self-test of large lists would take the processor from the first mails. */
  @Test
  void workThatCanWaitIsNotDueAtTheStart() throws Exception {
    long began = nanos.get();
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    CountDownLatch done = new CountDownLatch(1);
    try (Housekeeping chores = housekeeping()) {
      chores.everySlowlyButFirst(
          Duration.ofSeconds(1),
          "self-test",
          () -> {
            first.accumulateAndGet(nanos.get(), Math::min);
            done.countDown();
          });
      chores.eachSecond("next", () -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(1)));
      chores.start();
      assertTrue(done.await(60, TimeUnit.SECONDS));
    }
    assertTrue(first.get() - began >= TimeUnit.SECONDS.toNanos(1));
  }

  /** A list file of a million lines, or one whose disk is slow, while everything else goes on. */
  @Test
  void aSlowChoreKeepsNeitherTheOthersNorACarrierOfSessions() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CountDownLatch rounds = new CountDownLatch(2);
    CountDownLatch otherSlow = new CountDownLatch(1);
    AtomicReference<Thread> slow = new AtomicReference<>();
    AtomicInteger runs = new AtomicInteger();
    try (Housekeeping chores = housekeeping()) {
      chores.everySlowly(
          Duration.ofSeconds(1),
          "list files",
          () -> {
            slow.set(Thread.currentThread());
            runs.incrementAndGet();
            begun.countDown();
            awaitUninterrupted(goesOn);
          });
      chores.everySlowly(Duration.ofSeconds(1), "other", otherSlow::countDown);
      chores.eachSecond(
          "next",
          () -> {
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            rounds.countDown();
          });
      chores.start();
      assertTrue(begun.await(60, TimeUnit.SECONDS));
      assertTrue(rounds.await(60, TimeUnit.SECONDS));
      assertTrue(otherSlow.await(60, TimeUnit.SECONDS));
      Thread runner = Objects.requireNonNull(slow.get());
      assertFalse(runner.isVirtual(), "it computes on a carrier thread of sessions");
      assertEquals("list files", runner.getName());
      assertEquals(1, runs.get(), "none begins while the last one goes on");
      goesOn.countDown();
    }
  }

  @Test
  void isLateWhileAChoreHangs() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    try (Housekeeping chores = housekeeping()) {
      chores.eachSecond(
          "hanging",
          () -> {
            hangs.countDown();
            awaitUninterrupted(goesOn);
            over.countDown();
          });
      chores.start();
      hangs.await();
      assertFalse(chores.isLate());
      nanos.addAndGet(Housekeeping.LATE.toNanos() + 1);
      assertTrue(chores.isLate());
      goesOn.countDown();
      assertTrue(over.await(60, TimeUnit.SECONDS));
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
