package io.bloomgate.gateway.observe;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue with one thread behind it, between sessions, which never wait, and a disk, which
 * may. What finds the queue full is counted as lost and the next batch is told how many.
 *
 * @param <T> what is written
 */
final class BatchWriter<T> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /** How long {@link #close} waits for what is still queued. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  private static final int MAX_BATCH = 256;

  /** Takes what was queued, on the writer's thread; failures are its own affair. */
  interface Sink<T> {
    /**
     * Writes a batch.
     *
     * @param lost items that found the queue full since the batch before; the batch may be empty
     */
    void write(List<T> batch, long lost);
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition idle = lock.newCondition();
  private final ArrayDeque<T> queue = new ArrayDeque<>();
  private final int capacity;
  private final Sink<T> sink;
  private final Thread thread;
  private long lost;
  private boolean busy;
  private boolean closed;

  BatchWriter(int capacity, Sink<T> sink, ThreadFactory threads) {
    this.capacity = capacity;
    this.sink = sink;
    this.thread = threads.newThread(this::run);
  }

  /** Starts the thread; until then items wait. */
  void start() {
    thread.start();
  }

  /** Queues an item or counts it as lost; never blocks longer than another caller's turn. */
  void offer(T item) {
    lock.lock();
    try {
      if (closed || queue.size() >= capacity) {
        lost++;
      } else {
        queue.add(item);
      }
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all that was offered before is written; false when the thread is interrupted. */
  boolean awaitIdle() {
    lock.lock();
    try {
      while (busy || !queue.isEmpty() || lost > 0) {
        idle.await();
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    List<T> batch = new ArrayList<>(MAX_BATCH);
    long gap;
    while ((gap = take(batch)) >= 0) {
      try {
        sink.write(batch, gap);
      } catch (RuntimeException e) {
        LOG.error("a batch of {} could not be written", batch.size(), e);
      }
      batch.clear();
    }
  }

  /** Waits for a batch; the number of lost items before it, or -1 at the end. */
  private long take(List<T> batch) {
    lock.lock();
    try {
      busy = false;
      while (queue.isEmpty() && lost == 0) {
        idle.signalAll();
        if (closed) {
          return -1;
        }
        work.awaitUninterruptibly();
      }
      busy = true;
      while (batch.size() < MAX_BATCH && !queue.isEmpty()) {
        batch.add(queue.remove());
      }
      long gap = lost;
      lost = 0;
      return gap;
    } finally {
      lock.unlock();
    }
  }

  /** Writes what is queued, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      work.signalAll();
    } finally {
      lock.unlock();
    }
    if (!thread.isAlive()) {
      return;
    }
    try {
      if (!thread.join(CLOSE_WAIT)) {
        LOG.warn("gave up waiting for a log writer that does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
