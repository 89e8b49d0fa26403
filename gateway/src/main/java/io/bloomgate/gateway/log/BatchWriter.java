package io.bloomgate.gateway.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue with one writer thread: sessions never wait for the disk. The queue is bounded by items
 * and by octets, because one record may name a thousand recipients. An item that finds the queue
 * full is counted as lost; the next batch reports the number.
 *
 * @param <T> what is written
 */
public final class BatchWriter<T> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /** Time that {@link #close} waits for what is still queued. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(5);

  /** A working disk needs less time for a batch. */
  private static final Duration LATE = Duration.ofSeconds(30);

  /**
   * The size and the delay of batches.
   *
   * @param gather how long the first item waits for others; waking a thread for each item costs a
   *     busy gateway more than writing it
   * @param enough items that wait no longer; those that come until the thread wakes are written
   *     with them
   */
  public record Batches(Duration gather, int enough) {
    /** Batches for lines of a log. */
    static final Batches OF_LINES = new Batches(Duration.ofMillis(10), 256);
  }

  /** Octets of all items that wait or are being written; less in a small heap. */
  static final long MAX_QUEUED_OCTETS = Math.min(16L << 20, Runtime.getRuntime().maxMemory() / 32);

  /** Lines about losses a minute; with a full queue each batch has some. */
  private static final int LOSS_LINES = 5;

  /** Takes what was queued, on the writer's thread; it handles its own failures. */
  public interface Sink<T> {
    /**
     * Writes a batch.
     *
     * @param lost items that found the queue full since the batch before; the batch may be empty
     */
    void write(List<T> batch, long lost);
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Condition progress = lock.newCondition();
  private final int capacity;
  private final ToLongFunction<T> octetsOf;
  private final Sink<T> sink;
  private final Batches batches;
  private final Thread thread;
  private final LongSupplier nanoTime;
  private final WarningPace lossWarnings;
  private List<T> queue = new ArrayList<>();

  /** The items that the thread writes at once, and the number lost before them. */
  private List<T> writingItems = List.of();

  private long writingLost;
  private long queuedOctets;
  private long writingOctets;
  private long lost;
  private long everLost;
  private long queued;
  private long written;
  private boolean running;
  private boolean sleeping;
  private boolean hurried;
  private boolean closed;
  private long batchBegan;
  private boolean writing;

  /**
   * A queue whose thread begins with {@link #start}.
   *
   * @param capacity items that may wait
   * @param octetsOf about how much memory an item takes; pure
   * @param nanoTime a monotonic clock, nanoseconds
   */
  public BatchWriter(
      int capacity,
      ToLongFunction<T> octetsOf,
      Sink<T> sink,
      Batches batches,
      LongSupplier nanoTime,
      ThreadFactory threads) {
    this.batches = batches;
    this.capacity = capacity;
    this.octetsOf = octetsOf;
    this.sink = sink;
    this.nanoTime = nanoTime;
    this.lossWarnings = new WarningPace(nanoTime, LOSS_LINES);
    this.thread = threads.newThread(this::run);
  }

  /** Returns the pace of lines about what was lost. */
  public WarningPace lossWarnings() {
    return lossWarnings;
  }

  private <R> R locked(Supplier<R> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Starts the thread; until then items wait. */
  public void start() {
    locked(() -> running = true);
    thread.start();
  }

  /** Queues an item or counts it as lost; waits at most while another caller does the same. */
  public void offer(T item) {
    long more = octetsOf.applyAsLong(item);
    lock.lock();
    try {
      if (closed
          || queue.size() >= capacity
          || queuedOctets + writingOctets + more > MAX_QUEUED_OCTETS) {
        lost++;
        everLost++;
      } else {
        queuedOctets += more;
        queue.add(item);
        queued++;
      }
      if (sleeping || queue.size() == batches.enough) {
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Items that found the queue full since the start; it is right while a batch hangs, too. */
  public long everLost() {
    return locked(() -> everLost);
  }

  /**
   * Waits, while further items are queued, for a sink that cannot write its batch now and tries
   * again. The sink does not count as late for it.
   *
   * @return false when the writer is closed or its thread interrupted, so that the sink gives up
   */
  public boolean awaitRetry(Duration pause) {
    lock.lock();
    try {
      batchBegan = nanoTime.getAsLong();
      long left = pause.toNanos();
      while (left > 0 && !closed) {
        left = work.awaitNanos(left);
      }
      return !closed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits as {@link #awaitWritten(Duration)}, without a time limit. */
  public boolean awaitWritten() {
    return awaitWritten(Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits until all that was offered before is written, or the writer has ended.
   *
   * @return false when the time ends first, or the caller is interrupted
   */
  public boolean awaitWritten(Duration patience) {
    lock.lock();
    try {
      long offered = queued;
      boolean gap = lost > 0;
      long left = patience.toNanos();
      // Items lost during this wait do not count: under a flood the wait would not end.
      while (running && (written < offered || (gap && lost > 0)) && left > 0) {
        hurried = true;
        work.signal();
        left = progress.awaitNanos(left);
      }
      return written >= offered;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** True when its thread has ended before its time, or one batch takes long. */
  public boolean isLate() {
    return locked(() -> {
      boolean hangs = writing && nanoTime.getAsLong() - batchBegan > LATE.toNanos();
      return running && (hangs || !thread.isAlive());
    });
  }

  private void run() {
    while (locked(this::awaitItems)) {
      // The whole queue at once: a session waits for this lock as long as that takes.
      List<T> batch = writingItems;
      try {
        sink.write(batch, writingLost);
      } catch (RuntimeException | Error e) {
        LOG.error("a batch of {} could not be written", batch.size(), e);
      }
      locked(() -> {
        writingOctets = 0;
        written += batch.size();
        writing = false;
        hurried &= written < queued;
        progress.signalAll();
        return batch;
      });
    }
  }

  /** Waits for a batch; false at the end. */
  private boolean awaitItems() {
    while (queue.isEmpty() && lost == 0) {
      if (closed) {
        running = false;
        progress.signalAll();
        return false;
      }
      sleeping = true;
      work.awaitUninterruptibly();
      sleeping = false;
    }
    gather();
    writingItems = queue;
    writingLost = lost;
    queue = new ArrayList<>();
    writingOctets = queuedOctets;
    queuedOctets = 0;
    lost = 0;
    batchBegan = nanoTime.getAsLong();
    writing = true;
    return true;
  }

  /** Waits for more items, unless a caller waits for the batch. */
  private void gather() {
    long left = batches.gather.toNanos();
    while (left > 0 && queue.size() < batches.enough && !hurried && !closed) {
      try {
        left = work.awaitNanos(left);
      } catch (InterruptedException e) {
        // An interrupt does not end this thread; what is queued is written first.
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Writes what is queued, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    locked(() -> {
      closed = true;
      work.signalAll();
      return closed;
    });
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
