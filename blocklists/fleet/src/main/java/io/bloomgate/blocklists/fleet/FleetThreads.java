package io.bloomgate.blocklists.fleet;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of a node of a fleet, each of which repeats one piece of work until {@link #close}.
 * What fails in a way that nothing foresaw is logged and counted, and the thread goes on. Made and
 * closed by {@link SharedLists}; any thread wakes them.
 */
final class FleetThreads implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FleetThreads.class);

  /** Rest after such a fault, so that it does not fill the log. */
  private static final long REST_MILLIS = 1_000;

  private final ThreadFactory factory;
  private final Duration patience;
  private final Consumer<String> alarm;
  private final AtomicLong faults = new AtomicLong();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Threads of this factory.
   *
   * @param patience how long {@link #close} waits for each
   * @param alarm receives a sentence for the operator at a fault
   */
  FleetThreads(ThreadFactory factory, Duration patience, Consumer<String> alarm) {
    this.factory = factory;
    this.patience = patience;
    this.alarm = alarm;
  }

  /**
   * Starts a thread.
   *
   * @param what it does, for the log
   * @param work returns now and then
   */
  void repeat(String what, Runnable work) {
    Thread thread =
        factory.newThread(() -> {
          while (!closed) {
            try {
              work.run();
            } catch (RuntimeException | Error e) {
              failed(what, e);
              pause(REST_MILLIS);
            }
          }
        });
    threads.add(thread);
    thread.start();
  }

  /** Logs and counts a fault that nothing foresaw. */
  void failed(String what, Throwable fault) {
    faults.incrementAndGet();
    LOG.error("fleet: {} failed unexpectedly", what, fault);
    alarm.accept("fleet: " + what + " failed unexpectedly, see the log; it goes on");
  }

  /** Faults until now. */
  long faults() {
    return faults.get();
  }

  /** Ends pauses of all other threads; the one that calls would not pause the next time. */
  void wake() {
    for (Thread thread : threads) {
      if (!thread.equals(Thread.currentThread())) {
        LockSupport.unpark(thread);
      }
    }
  }

  /** Pauses until {@link #wake}, or for this time; on one of the threads. */
  void pause(long millis) {
    if (!closed) {
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(millis));
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** No work begins from now on. */
  void end() {
    closed = true;
    wake();
  }

  /** Waits for the threads. */
  @Override
  public void close() {
    end();
    for (Thread thread : threads) {
      try {
        thread.join(patience.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
