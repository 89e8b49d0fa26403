package io.bloomgate.blocklists.greylist;

import java.util.Arrays;

/**
 * Keys of senders with a time each: open addressing with linear probing, 14 octets a slot, at most
 * six of ten slots in use (Knuth, "The Art of Computer Programming", volume 3, section 6.4,
 * algorithm L; removal by algorithm R). One network has an eighth of the room. Used under the lock
 * of {@link Greylist}.
 */
final class SenderTable {

  /** The answer of {@link #time} about a key that it does not have. */
  static final long ABSENT = 0;

  private static final int FIRST_SLOTS = 1 << 10;
  private static final double MOST_USED = 0.6;

  /** Groups that networks are counted in; of two networks in one group each has less room. */
  private static final int GROUPS = 1 << 12;

  /** A group may have this part of all keys. */
  private static final int GROUP_PART = 8;

  private final int most;
  private final int[] ofGroup = new int[GROUPS];
  private long[] keys = new long[FIRST_SLOTS];

  /** Seconds since 1970, unsigned: good until 2106. */
  private int[] times = new int[FIRST_SLOTS];

  private short[] groups = new short[FIRST_SLOTS];
  private int size;

  /**
   * An empty table.
   *
   * @param most keys of single senders; those of one network are at most an eighth of them
   */
  SenderTable(int most) {
    this.most = most;
  }

  /** Receives an entry. */
  @FunctionalInterface
  interface Visitor {
    void visit(long key, long seconds, int group);
  }

  int size() {
    return size;
  }

  /** The group that the keys of a network count in. */
  static int group(long networkHash) {
    return (int) (networkHash >>> (Long.SIZE - Integer.numberOfTrailingZeros(GROUPS)));
  }

  /** The time of the key, in seconds since 1970; {@link #ABSENT} without one. */
  long time(long key) {
    return Integer.toUnsignedLong(times[slot(key)]);
  }

  boolean has(long key) {
    return time(key) != ABSENT;
  }

  /** True when there is room for one more key of this group. */
  boolean hasRoom(int group) {
    return size < most && ofGroup[group] < Math.max(1, most / GROUP_PART);
  }

  /** True when there is room for the key of a whole network: these have a fifth more. */
  boolean hasRoomForNetwork() {
    return size < most + most / 5;
  }

  /** True for what {@link #put} may be given. */
  static boolean isPossible(long seconds, int group) {
    return (int) seconds != ABSENT && group >= 0 && group < GROUPS;
  }

  /** Puts the key in, or gives it another time. */
  void put(long key, long seconds, int group) {
    int at = slot(key);
    if (times[at] == ABSENT) {
      if (size >= keys.length * MOST_USED) {
        rebuild(keys.length * 2, 0);
        at = slot(key);
      }
      keys[at] = key;
      groups[at] = (short) group;
      ofGroup[group]++;
      size++;
    }
    times[at] = (int) seconds;
  }

  /** Takes the key out, if it is there. */
  void remove(long key) {
    int at = slot(key);
    if (times[at] == ABSENT) {
      return;
    }
    ofGroup[groups[at]]--;
    size--;
    int mask = keys.length - 1;
    int hole = at;
    for (int i = (hole + 1) & mask; times[i] != ABSENT; i = (i + 1) & mask) {
      // An entry may fill the hole unless its own place lies between the hole and the entry.
      if (((i - home(keys[i])) & mask) >= ((i - hole) & mask)) {
        keys[hole] = keys[i];
        times[hole] = times[i];
        groups[hole] = groups[i];
        hole = i;
      }
    }
    times[hole] = 0;
  }

  /** Takes out what has an earlier time; true when something had. */
  boolean removeBefore(long seconds) {
    int[] old = {0};
    forEach((_, time, _) -> old[0] += time < seconds ? 1 : 0);
    if (old[0] > 0) {
      boolean few = size - old[0] < keys.length * MOST_USED / 4;
      rebuild(few ? Math.max(FIRST_SLOTS, keys.length / 2) : keys.length, seconds);
    }
    return old[0] > 0;
  }

  /** All entries, in no order. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < keys.length; i++) {
      if (times[i] != ABSENT) {
        visitor.visit(keys[i], Integer.toUnsignedLong(times[i]), groups[i]);
      }
    }
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int at = home(key);
    while (times[at] != ABSENT && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Keys are hashes, so their bits are evenly spread. */
  private int home(long key) {
    return (int) key & (keys.length - 1);
  }

  private void rebuild(int slots, long first) {
    long[] oldKeys = keys;
    int[] oldTimes = times;
    short[] oldGroups = groups;
    keys = new long[slots];
    times = new int[slots];
    groups = new short[slots];
    size = 0;
    Arrays.fill(ofGroup, 0);
    for (int i = 0; i < oldKeys.length; i++) {
      long time = Integer.toUnsignedLong(oldTimes[i]);
      if (time != ABSENT && time >= first) {
        put(oldKeys[i], time, oldGroups[i]);
      }
    }
  }
}
