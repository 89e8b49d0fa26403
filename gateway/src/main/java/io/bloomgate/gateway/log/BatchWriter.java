package io.bloomgate.gateway.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
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

  /** Items that are written together, and the number of those that found no room before it. */
  private static final class Batch<T> {
    private final List<T> items = new ArrayList<>();
    private final CountDownLatch written = new CountDownLatch(1);
    private long octets;
    private long lost;

    /** Somebody waits for it. */
    private boolean hurried;

    boolean isEmpty() {
      return items.isEmpty() && lost == 0;
    }
  }

  private final int capacity;
  private final ToLongFunction<T> octetsOf;
  private final Sink<T> sink;
  private final Batches batches;
  private final Thread thread;
  private final LongSupplier nanoTime;
  private final WarningPace lossWarnings;

  // Guarded by this.
  private Batch<T> waiting = new Batch<>();
  private @Nullable Batch<T> writing;
  private long batchBegan;
  private long everLost;
  private boolean running;
  private boolean sleeping;
  private boolean closed;

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

  /** Starts the thread; until then items wait. */
  public synchronized void start() {
    running = true;
    thread.start();
  }

  /** Queues an item or counts it as lost; waits at most while another caller does the same. */
  public void offer(T item) {
    long more = octetsOf.applyAsLong(item);
    synchronized (this) {
      long octets = more + waiting.octets + (writing == null ? 0 : writing.octets);
      if (closed || waiting.items.size() >= capacity || octets > MAX_QUEUED_OCTETS) {
        waiting.lost++;
        everLost++;
      } else {
        waiting.octets += more;
        waiting.items.add(item);
      }
      if (sleeping || waiting.items.size() == batches.enough) {
        notifyAll();
      }
    }
  }

  /** Items that found the queue full since the start; it is right while a batch hangs, too. */
  public synchronized long everLost() {
    return everLost;
  }

  /**
   * Waits, while further items are queued, for a sink that cannot write its batch now and tries
   * again. The sink does not count as late for it.
   *
   * @return false when the writer is closed, so that the sink gives up
   */
  public synchronized boolean awaitRetry(Duration pause) {
    batchBegan = nanoTime.getAsLong();
    if (!closed) {
      await(pause.toMillis());
    }
    return !closed;
  }

  /** Waits as {@link #awaitWritten(Duration)}, without a time limit. */
  public boolean awaitWritten() {
    return awaitWritten(Duration.ofNanos(Long.MAX_VALUE));
  }

  /**
   * Waits until all that was offered before is written.
   *
   * @return false when the time ends first, the thread does not run, or the caller is interrupted
   */
  public boolean awaitWritten(Duration patience) {
    Batch<T> last;
    synchronized (this) {
      last = waiting.isEmpty() ? writing : waiting;
      if (last == null || !running) {
        return last == null;
      }
      last.hurried = true;
      notifyAll();
    }
    try {
      return last.written.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** True when its thread has ended before its time, or one batch takes long. */
  public synchronized boolean isLate() {
    boolean hangs = writing != null && nanoTime.getAsLong() - batchBegan > LATE.toNanos();
    return running && (hangs || !thread.isAlive());
  }

  private void run() {
    for (Batch<T> batch = next(); batch != null; batch = next()) {
      try {
        sink.write(batch.items, batch.lost);
      } catch (RuntimeException | Error e) {
        LOG.error("a batch of {} could not be written", batch.items.size(), e);
      }
      done(batch);
    }
  }

  /** Waits for a batch: the whole queue at once; {@code null} at the end. */
  private synchronized @Nullable Batch<T> next() {
    while (waiting.isEmpty()) {
      if (closed) {
        running = false;
        return null;
      }
      sleeping = true;
      await(0);
      sleeping = false;
    }
    if (waiting.items.size() < batches.enough && !waiting.hurried && !closed) {
      await(batches.gather.toMillis()); // for more items
    }
    Batch<T> batch = waiting;
    waiting = new Batch<>();
    writing = batch;
    batchBegan = nanoTime.getAsLong();
    return batch;
  }

  private synchronized void done(Batch<T> batch) {
    writing = null;
    batch.written.countDown();
  }

  /** Waits for a change; an interrupt does not end the thread: what is queued is written first. */
  @SuppressWarnings("WaitNotInLoop") // the callers look again, or write a smaller batch
  private synchronized void await(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      LOG.debug("a log writer was interrupted", e);
    }
  }

  /** Writes what is queued, for a bounded time, and ends the thread. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
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
