package io.bloomgate.blocklists.greylist;

/**
 * Keys that have to come again, with the time of their first visit: open addressing with linear
 * probing, 14 octets a slot, at most six of ten slots in use (Knuth, "The Art of Computer
 * Programming", volume 3, section 6.4, algorithm L; removal by algorithm R). Used under the lock of
 * {@link Greylist}.
 */
final class PendingTable {

  /** The answer of {@link #since} about a key that it does not have. */
  static final long ABSENT = 0;

  private static final int FIRST_SLOTS = 1 << 10;
  private static final double MOST_USED = 0.6;

  /** Groups that networks are counted in; of two networks in one group each has less room. */
  static final int GROUPS = 1 << 12;

  /** A group may have this part of all keys. */
  private static final int GROUP_PART = 8;

  private final int most;
  private final int[] ofGroup = new int[GROUPS];
  private long[] keys = new long[FIRST_SLOTS];

  /** Seconds since 1970, unsigned: good until 2106. */
  private int[] since = new int[FIRST_SLOTS];

  private short[] groups = new short[FIRST_SLOTS];
  private int size;

  /**
   * An empty table.
   *
   * @param most keys of single senders; those of one network are at most an eighth of them
   */
  PendingTable(int most) {
    this.most = most;
  }

  /** Receives an entry. */
  @FunctionalInterface
  interface Visitor {
    void visit(long key, long sinceSeconds, int group);
  }

  int size() {
    return size;
  }

  /** The group that the keys of a network count in. */
  static int group(long networkHash) {
    return (int) (networkHash >>> (Long.SIZE - Integer.numberOfTrailingZeros(GROUPS)));
  }

  /** The time of the first visit of the key, in seconds since 1970; {@link #ABSENT} without one. */
  long since(long key) {
    return Integer.toUnsignedLong(since[slot(key)]);
  }

  /** The number of all keys that one group may have. */
  static int share(int all) {
    return Math.max(1, all / GROUP_PART);
  }

  /** True when there is room for one more key of this group. */
  boolean hasRoom(int group) {
    return size < most && ofGroup[group] < share(most);
  }

  /** True when there is room for the key of a whole network: these have a fifth more. */
  boolean hasRoomForNetwork() {
    return size < most + most / 5;
  }

  /** Puts the key in, or gives it another time. */
  void put(long key, long sinceSeconds, int group) {
    int at = slot(key);
    if (since[at] == ABSENT) {
      if (size >= keys.length * MOST_USED) {
        resize(keys.length * 2);
        at = slot(key);
      }
      keys[at] = key;
      groups[at] = (short) group;
      ofGroup[group]++;
      size++;
    }
    since[at] = (int) sinceSeconds;
  }

  /** Takes the key out, if it is there. */
  void remove(long key) {
    int at = slot(key);
    if (since[at] == ABSENT) {
      return;
    }
    ofGroup[groups[at]]--;
    size--;
    int mask = keys.length - 1;
    int hole = at;
    for (int i = (hole + 1) & mask; since[i] != ABSENT; i = (i + 1) & mask) {
      // An entry may fill the hole unless its own place lies between the hole and the entry.
      if (((i - home(keys[i])) & mask) >= ((i - hole) & mask)) {
        keys[hole] = keys[i];
        since[hole] = since[i];
        groups[hole] = groups[i];
        hole = i;
      }
    }
    since[hole] = 0;
  }

  /** Takes out what came before that time. */
  void removeBefore(long seconds) {
    long[] old = new long[size];
    int[] count = {0};
    forEach((key, first, group) -> {
      if (first < seconds) {
        old[count[0]++] = key;
      }
    });
    for (int i = 0; i < count[0]; i++) {
      remove(old[i]);
    }
    if (keys.length > FIRST_SLOTS && size < keys.length * MOST_USED / 4) {
      resize(keys.length / 2);
    }
  }

  /** All entries, in no order. */
  void forEach(Visitor visitor) {
    for (int i = 0; i < keys.length; i++) {
      if (since[i] != ABSENT) {
        visitor.visit(keys[i], Integer.toUnsignedLong(since[i]), groups[i]);
      }
    }
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int at = home(key);
    while (since[at] != ABSENT && keys[at] != key) {
      at = (at + 1) & mask;
    }
    return at;
  }

  /** Keys are hashes, so their bits are evenly spread. */
  private int home(long key) {
    return (int) key & (keys.length - 1);
  }

  private void resize(int slots) {
    long[] oldKeys = keys;
    int[] oldSince = since;
    short[] oldGroups = groups;
    keys = new long[slots];
    since = new int[slots];
    groups = new short[slots];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldSince[i] != ABSENT) {
        int at = slot(oldKeys[i]);
        keys[at] = oldKeys[i];
        since[at] = oldSince[i];
        groups[at] = oldGroups[i];
      }
    }
  }
}
