package io.bloomgate.blocklists.greylist;

import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import io.bloomgate.blocklists.filter.SplitBlockProbe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers who came again, in a ring of split-block Bloom filters: one for each of the last {@link
 * #DAYS} days, and another one for a day on which more came than expected. A filter may decide here
 * because it only lets mail pass (promise P2 is about refusing): a chance hit spares one sender the
 * delay, and nobody who was added is forgotten before his time. Used under the lock of {@link
 * Greylist}.
 *
 * <p>A day has room for {@link #MOST_A_DAY} keys, an eighth of them of one network: one host can
 * invent any number of senders and come again with each, and would otherwise fill the heap and the
 * disk. A key that has no room only costs its sender one more delay.
 */
final class PassedRing {

  /** Days that a key is remembered after its last mail. */
  static final int DAYS = 36;

  /**
   * Bits for each key. The rates of all filters add up: 17 bits give 0.07 % each when it is full,
   * 2.5 % for the ring.
   */
  private static final int BITS_PER_KEY = 17;

  /** A filter of this capacity has 8.5 KiB. */
  private static final int LEAST_CAPACITY = 4_096;

  /** Keys that one day takes: filters of 1.1 MiB, 38 MiB for all days. */
  static final int MOST_A_DAY = 524_288;

  private static final SplitBlockProbe PROBE = SplitBlockProbe.fastest();

  /** Newest first. */
  private final Deque<Slice> slices = new ArrayDeque<>();

  private final int mostADay;

  /** Keys that each group of networks has added on {@link #addedOn}. */
  private final int[] addedByGroup = new int[PendingTable.GROUPS];

  private int addedOn;
  private int nextId;

  /**
   * An empty ring.
   *
   * @param mostADay keys that one day takes
   */
  PassedRing(int mostADay) {
    this.mostADay = mostADay;
  }

  /** One filter. Only the newest takes keys. */
  static final class Slice {
    private final int id;
    private final int day;
    private final int capacity;
    private final long[] words;
    private int count;
    private boolean sealed;

    private Slice(int id, int day, int capacity, int count, long[] words) {
      this.id = id;
      this.day = day;
      this.capacity = capacity;
      this.count = count;
      this.words = words;
    }

    /** Grows with each slice. */
    int id() {
      return id;
    }

    /** Days since 1970. */
    int day() {
      return day;
    }

    int capacity() {
      return capacity;
    }

    int count() {
      return count;
    }

    /** The filter's own array. */
    long[] words() {
      return words;
    }

    private boolean isFull() {
      return count >= capacity;
    }

    /** The same slice, which takes keys again; the file may still read this one. */
    private Slice unsealed() {
      return new Slice(id, day, capacity, count, words.clone());
    }

    private boolean contains(long key) {
      return PROBE.probe(words, SplitBlockFilter.firstWord(key, words.length), key) == 1;
    }

    private void add(long key) {
      SplitBlockFilterBuilder.set(words, SplitBlockFilter.firstWord(key, words.length), key);
      count++;
    }
  }

  /** Words of a slice of this capacity. */
  static int words(int capacity) {
    return Math.ceilDiv(capacity * BITS_PER_KEY, Long.SIZE * SplitBlockFilter.LANES)
        * SplitBlockFilter.LANES;
  }

  /** Puts back what was saved; in the order of ids. */
  void restore(int id, int day, int capacity, int count, long[] words) {
    slices.addFirst(new Slice(id, day, capacity, count, words));
    nextId = id + 1;
  }

  /** Puts a key of the newest slice back. */
  void restore(long key) {
    Slice newest = slices.peekFirst();
    if (newest != null) {
      newest.add(key);
    }
  }

  /** The slice that takes keys; {@code null} before the first. */
  @Nullable Slice newest() {
    return slices.peekFirst();
  }

  /** True for a key that came again within the last days; now and then for another one. */
  boolean contains(long key, int day) {
    for (Slice slice : slices) {
      if (day - slice.day >= DAYS) {
        return false;
      }
      if (slice.contains(key)) {
        return true;
      }
    }
    return false;
  }

  /** The day from which the key counts; -1 for a key that {@link #contains} does not find. */
  int dayOf(long key, int day) {
    for (Slice slice : slices) {
      if (day - slice.day >= DAYS) {
        return -1;
      }
      if (slice.contains(key)) {
        return slice.day;
      }
    }
    return -1;
  }

  /** True when the key counts from this day on, so that nothing needs to be added. */
  boolean isFresh(long key, int day) {
    for (Slice slice : slices) {
      if (slice.day < day) {
        return false;
      }
      if (slice.contains(key)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Adds a key.
   *
   * @param group of its network
   * @return the slice that took it; {@code null} when the day has no room for it
   */
  @Nullable Slice add(long key, int group, int day) {
    if (addedOn != day) {
      Arrays.fill(addedByGroup, 0);
      addedOn = day;
    }
    if (addedByGroup[group] >= PendingTable.share(mostADay)) {
      return null;
    }
    Slice newest = slices.peekFirst();
    if (newest == null || newest.day < day || newest.isFull()) {
      newest = next(day, newest);
      if (newest == null) {
        return null;
      }
      slices.addFirst(newest);
    } else if (newest.sealed) {
      // Another slice at each failed save would take more and more memory.
      slices.removeFirst();
      newest = newest.unsealed();
      slices.addFirst(newest);
    }
    addedByGroup[group]++;
    newest.add(key);
    return newest;
  }

  /** Room for a quarter more than on the last day; twice as much when this day's is full. */
  private @Nullable Slice next(int day, @Nullable Slice before) {
    long expected =
        before == null ? 0 : before.day == day ? 2L * before.count : keysOf(before.day) * 5 / 4;
    int room = mostADay - capacityOf(day);
    if (room <= 0) {
      return null;
    }
    int capacity = Math.clamp(expected, Math.min(LEAST_CAPACITY, room), room);
    return new Slice(nextId++, day, capacity, 0, new long[words(capacity)]);
  }

  private int capacityOf(int day) {
    long all = slices.stream().filter(slice -> slice.day == day).mapToLong(s -> s.capacity).sum();
    return (int) Math.min(all, mostADay);
  }

  private long keysOf(int day) {
    return slices.stream().filter(slice -> slice.day == day).mapToLong(Slice::count).sum();
  }

  /** All slices, oldest first; none of these objects takes keys any more. */
  List<Slice> sealAll() {
    List<Slice> all = new ArrayList<>(slices).reversed();
    all.forEach(slice -> slice.sealed = true);
    return all;
  }

  /** Drops what is too old; the ids of the slices. */
  List<Integer> dropOld(int day) {
    List<Integer> dropped = new ArrayList<>();
    while (!slices.isEmpty() && day - slices.getLast().day >= DAYS) {
      dropped.add(slices.removeLast().id);
    }
    return dropped;
  }

  /** The keys that were added, of all slices; some twice. */
  long size() {
    return slices.stream().mapToLong(Slice::count).sum();
  }
}
