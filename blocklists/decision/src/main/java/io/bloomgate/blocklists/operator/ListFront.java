package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterShape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The part in memory in front of one stored list: a counting filter over the hashes of all
 * subjects, the {@link ListShape} and the number of entries. It says "certainly not" or "ask the
 * store", never more.
 *
 * <p>One rule for the size of the filter: housekeeping makes it from the store where there is none,
 * when it is nearly full and when it is far too large. A full one is dropped by the change that
 * fills it, and everything is asked of the store until housekeeping has looked. So no command waits
 * for a new filter, and none is saved at a stop.
 *
 * <p>Changed by one thread at a time, under the lock of {@link StoreWriter}; read by sessions
 * without a lock. A reader sees all that was changed before the last write to one of the volatile
 * fields, so each change ends with one. A change of a counter writes its array element once, so
 * that a reader never misses the other counters in that element.
 */
final class ListFront {

  /** Ratio of chance hits when the filter is full; each costs a query of the store. */
  private static final double RATE = 0.005;

  /** Room for growth when a filter is made: 5.5 octets an entry at that rate, so 8.3 at most. */
  private static final double ROOM = 1.5;

  /** Share of the capacity at which a larger filter is made. */
  private static final double NEARLY_FULL = 0.95;

  /** Share of the capacity at which a smaller filter is made. */
  private static final double NEARLY_EMPTY = 0.3;

  private static final long LEAST_CAPACITY = 16_384;

  /** {@code null} when memory holds no filter: then everything is asked of the store. */
  private volatile @Nullable CountingFilter filter;

  private volatile ListShape shape;
  private volatile long entries;

  /** A front without a filter. */
  ListFront(ListShape shape, long entries) {
    this.shape = shape;
    this.entries = entries;
  }

  /** True when the list is empty: nothing is asked then. */
  boolean isEmpty() {
    return entries == 0;
  }

  long entries() {
    return entries;
  }

  ListShape shape() {
    return shape;
  }

  /** False when no entry's subject has that hash. */
  boolean mayHold(long key) {
    CountingFilter now = filter;
    return now == null || now.probe(key) != 0;
  }

  /** Lets a hash hit from now on; its row is in the running transaction. */
  void add(long key) {
    CountingFilter now = filter;
    if (now != null && !now.add(key)) {
      filter = null;
    }
  }

  /** Undoes one addition of a hash that was added. */
  void remove(long key) {
    CountingFilter now = filter;
    if (now != null) {
      var _ = now.remove(key);
    }
  }

  void shape(ListShape now) {
    shape = now;
  }

  /** Counts entries; the end of a change, which makes the rest of it visible. */
  void count(long more) {
    long before = entries; // one thread changes it at a time
    entries = before + more;
  }

  /** True when {@link #build} is wanted. */
  boolean wantsFilter() {
    CountingFilter now = filter;
    if (now == null) {
      return true;
    }
    FilterShape size = now.shape();
    return size.entries() > NEARLY_FULL * size.capacity()
        || (size.capacity() > LEAST_CAPACITY && size.entries() < NEARLY_EMPTY * size.capacity());
  }

  /** Makes a filter of the hashes of all that is stored. */
  void build(long[] keys) {
    long capacity = Math.max(LEAST_CAPACITY, (long) (keys.length * ROOM));
    try {
      filter =
          AddableFilter.fill(
              new CountingFilter(capacity, RATE), hashes -> Arrays.stream(keys).forEach(hashes));
    } catch (FilterBuildException e) {
      filter = null;
    }
  }

  /** Octets of the filter. */
  long filterOctets() {
    CountingFilter now = filter;
    return now == null ? 0 : now.shape().bits() / Byte.SIZE;
  }
}
