package io.bloomgate.blocklists.fleet.counts;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What this node has counted and the others do not know yet. Sessions add on any thread and never
 * wait; one thread makes batches of it and takes them out when they are in Redis. Bounded: what
 * comes when it is full is not shared, and while Redis is away the oldest batches make room.
 */
public final class CountOutbox {

  /** Counts that wait to become a batch: those of a second at 30,000 mails with three counts. */
  public static final int MOST_COUNTS = 100_000;

  /** Octets of batches that wait for Redis. */
  public static final long MOST_OCTETS = 4 << 20;

  /** Octets that a batch takes in memory besides its own. */
  private static final int EACH_OCTETS = 64;

  private final Queue<Counted> counts = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waitingCounts = new AtomicInteger();
  private final AtomicInteger batchedCounts = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private final Deque<Batch> batches = new ArrayDeque<>();
  private long octets;
  private long number;

  /** Counts of the same 50 ms. */
  private static final class Batch {
    /** Rises with each batch. */
    private final long number;

    private final int size;
    private final byte[] counts;

    /** When they were counted, by the monotonic clock. */
    private final long nanos;

    Batch(long number, CountEncoder counts, long nanos) {
      this.number = number;
      this.size = counts.counts();
      this.counts = counts.octets();
      this.nanos = nanos;
    }

    private int octets() {
      return counts.length + EACH_OCTETS;
    }
  }

  /** Adds a count, if there is room. */
  public void add(Counted counted) {
    if (waitingCounts.incrementAndGet() > MOST_COUNTS) {
      waitingCounts.decrementAndGet();
      dropped.incrementAndGet();
    } else {
      counts.add(counted);
    }
  }

  /** Counts that no other node will hear of. */
  public long dropped() {
    return dropped.get();
  }

  /** Counts that are not in Redis yet. */
  public long waiting() {
    return waitingCounts.get() + (long) batchedCounts.get();
  }

  /** Makes batches of what was added. For the thread that sends, as all that follows. */
  public void collect(long nanos) {
    // What is added meanwhile is for the next time, or this might never end.
    int left = waitingCounts.get();
    while (left > 0) {
      CountEncoder batch = new CountEncoder();
      Counted next = counts.poll();
      while (next != null) {
        waitingCounts.decrementAndGet();
        batch.add(next);
        left--;
        next = left > 0 && !batch.isFull() ? counts.poll() : null;
      }
      if (batch.counts() == 0) {
        return; // a session that has its place, and is about to add
      }
      put(new Batch(++number, batch, nanos));
    }
  }

  private void put(Batch batch) {
    batches.add(batch);
    batchedCounts.addAndGet(batch.size);
    octets += batch.octets();
    while (octets > MOST_OCTETS) {
      dropped.addAndGet(sent(1));
    }
  }

  /**
   * The oldest batches, sealed; they stay until {@link #sent}.
   *
   * @param atMillis the time of Redis
   */
  public List<byte[]> next(int most, CountSeal seal, long nanos, long atMillis) {
    List<byte[]> sealed = new ArrayList<>();
    for (Batch batch : batches) {
      if (sealed.size() == most) {
        break;
      }
      long age = TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos - batch.nanos));
      sealed.add(seal.seal(batch.number, age, atMillis, batch.counts));
    }
    return sealed;
  }

  /**
   * The oldest batches are in Redis.
   *
   * @return how many counts they have
   */
  public int sent(int many) {
    int size = 0;
    for (int i = 0; i < many; i++) {
      Batch batch = batches.remove();
      octets -= batch.octets();
      size += batch.size;
    }
    batchedCounts.addAndGet(-size);
    return size;
  }
}
