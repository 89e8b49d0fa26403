package io.bloomgate.blocklists.operator;

import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The part in memory in front of one stored list: a counting filter over the hashes of names,
 * addresses and hosts, the networks and likenesses, and the number of entries. It says "certainly
 * not" or "ask the store", never more.
 *
 * <p>Changed by one thread at a time, under the lock of {@link OperatorLists}; read by sessions
 * without a lock. A reader sees all that was changed before the last write to one of the volatile
 * fields, so each change ends with one. A change of a counter writes its array element once, so
 * that a reader never misses the other counters in that element.
 */
final class ListFront {

  /** Ratio of chance hits when the filter is full; each costs a query of the store. */
  private static final double RATE = 0.015;

  /**
   * Room for growth when a filter is made: 4.4 octets an entry at that rate, so 5.7 with the room.
   */
  private static final double ROOM = 1.3;

  /**
   * The same while entries come faster than housekeeping looks, so that new filters are made less
   * often.
   */
  private static final double ROOM_IN_HASTE = 2.0;

  /** A filter with more room than this is made smaller once entries stop coming fast. */
  private static final double TOO_MUCH_ROOM = 1.5;

  private static final long LEAST_CAPACITY = 16_384;

  /** Share of the capacity at which housekeeping makes a larger filter, before a command must. */
  private static final double NEARLY_FULL = 0.97;

  /** {@code null} when memory holds no filter: then everything is asked of the store. */
  private volatile @Nullable CountingFilter filter;

  private volatile NetworkPrefixes networks;
  private volatile Likenesses likenesses;
  private volatile long entries;

  /** Number of hashes in the filter; used on the thread that changes it. */
  private long hashes;

  /** A command had to make a larger filter since housekeeping looked. */
  private boolean inHaste;

  /** Subjects that are not in the filter, as they have to be compared. */
  record Compared(List<IpPrefix> networks, List<Likeness> likenesses) {
    static final Compared NONE = new Compared(List.of(), List.of());

    Compared {
      networks = List.copyOf(networks);
      likenesses = List.copyOf(likenesses);
    }
  }

  private ListFront(@Nullable CountingFilter filter, Compared compared, long entries) {
    this.filter = filter;
    this.networks = NetworkPrefixes.NONE.with(compared.networks());
    this.likenesses = Likenesses.NONE.with(compared.likenesses());
    this.entries = entries;
    this.hashes = filter == null ? 0 : filter.shape().entries();
  }

  /** A front without a filter, for a store that is only read. */
  static ListFront unfiltered(Compared compared, long entries) {
    return new ListFront(null, compared, entries);
  }

  /** A front with a filter that was saved. */
  static ListFront of(CountingFilter filter, Compared compared, long entries) {
    return new ListFront(filter, compared, entries);
  }

  /** A front made from the store. */
  static ListFront built(HashSource keys, Compared compared, long entries) {
    ListFront front = new ListFront(null, compared, entries);
    front.build(keys, entries - front.networks.size() - front.likenesses.size(), ROOM);
    return front;
  }

  /** True when the list is empty: nothing is asked then. */
  boolean isEmpty() {
    return entries == 0;
  }

  long entries() {
    return entries;
  }

  /** False when no entry's subject has that hash. */
  boolean mayHold(long key) {
    CountingFilter now = filter;
    return now == null || now.probe(key) != 0;
  }

  /** Gives the networks of the list around an address, narrowest first. */
  void networksAround(IpAddress address, Consumer<IpPrefix> found) {
    networks.around(address, found);
  }

  /** Gives the likenesses of the list that are of texts like this one. */
  void likenessesAround(Likeness text, Consumer<Likeness> found) {
    likenesses.around(text, found);
  }

  /** True when the list can have these likenesses as well. */
  boolean hasRoom(Collection<Likeness> wanted) {
    return wanted.isEmpty() || likenesses.with(wanted).size() <= Likenesses.MOST;
  }

  /**
   * Lets a hash hit from now on; its row is in the running transaction.
   *
   * @param keys all hashes that are stored, this one too, for a larger filter; read on this thread
   */
  void add(long key, HashSource keys) {
    CountingFilter now = filter;
    if (now != null && !now.add(key)) {
      build(keys, hashes + 1, ROOM_IN_HASTE);
      inHaste = true;
    } else {
      hashes++;
    }
  }

  /** Undoes one addition of a hash that was added. */
  void remove(long key) {
    CountingFilter now = filter;
    if (now != null) {
      var _ = now.remove(key);
    }
    hashes--;
  }

  void addNetworks(Collection<IpPrefix> added) {
    networks = networks.with(added);
  }

  void removeNetworks(Collection<IpPrefix> gone) {
    networks = networks.without(gone);
  }

  void addLikenesses(Collection<Likeness> added) {
    likenesses = likenesses.with(added);
  }

  void removeLikenesses(Collection<Likeness> gone) {
    likenesses = likenesses.without(gone);
  }

  /** Counts entries; the end of a change, which makes the rest of it visible. */
  void count(long more) {
    long before = entries; // one thread changes it at a time
    entries = before + more;
  }

  /** Makes a filter of the right size before it is full, and after haste; for housekeeping. */
  void growInTime(HashSource keys) {
    CountingFilter now = filter;
    if (now == null || inHaste) {
      inHaste = false;
      return;
    }
    long capacity = now.shape().capacity();
    if (hashes > NEARLY_FULL * capacity
        || (capacity > LEAST_CAPACITY && capacity > TOO_MUCH_ROOM * hashes)) {
      build(keys, hashes, ROOM);
    }
  }

  private void build(HashSource keys, long expected, double room) {
    long capacity = Math.max(LEAST_CAPACITY, (long) (expected * room));
    try {
      filter = AddableFilter.fill(new CountingFilter(capacity, RATE), keys);
    } catch (FilterBuildException e) {
      filter = null;
    }
    CountingFilter now = filter;
    hashes = now == null ? 0 : now.shape().entries();
  }

  /** Returns the filter for saving; {@code null} when there is none. */
  @Nullable CountingFilter filter() {
    return filter;
  }

  /** Octets of the filter. */
  long filterOctets() {
    CountingFilter now = filter;
    return now == null ? 0 : now.shape().bits() / Byte.SIZE;
  }

  /** Nothing stored. */
  static ListFront empty() {
    return built(HashSource.NONE, Compared.NONE, 0);
  }
}
