package io.bloomgate.blocklists.senders;

import java.util.Arrays;

/**
 * A bounded table of networks with the first and the last time that each was seen, without a gap
 * longer than the time that is kept: 16 octets a slot, two slots a network or more. Used by {@link
 * KnownSenders} under its lock.
 */
final class SeenNetworks {

  private static final int LEAST_SLOTS = 1 << 10;

  /** Share of a full table that is forgotten at once, so that forgetting is rare. */
  private static final int FORGOTTEN_SHARE = 8;

  /** An odd number whose product spreads neighbouring networks over the table (Fibonacci). */
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private final int capacity;
  private final int keptSeconds;
  private long[] keys;
  private int[] firsts;
  private int[] lasts;
  private int size;

  /**
   * @param capacity networks that are kept at most; beyond, the longest unseen are forgotten
   * @param keptSeconds after which a network that was not seen again counts as unknown
   */
  SeenNetworks(int capacity, int keptSeconds) {
    this.capacity = capacity;
    this.keptSeconds = keptSeconds;
    this.keys = new long[LEAST_SLOTS];
    this.firsts = new int[LEAST_SLOTS];
    this.lasts = new int[LEAST_SLOTS];
  }

  /** Takes every network with its times. */
  interface Visitor<X extends Exception> {
    void network(long network, int first, int last) throws X;
  }

  int size() {
    return size;
  }

  /** Notes that a network was seen at a time, in seconds of the epoch. */
  void see(long network, int seconds) {
    put(network, seconds, seconds);
  }

  /** Takes back what {@link #forEach} told. */
  void put(long network, int first, int last) {
    int slot = slot(network);
    if (keys[slot] != 0) {
      // A first time that lies ahead was noted while the clock was wrong.
      boolean ahead = Integer.compareUnsigned(firsts[slot], first) > 0;
      if (ahead
          || Integer.toUnsignedLong(first) - Integer.toUnsignedLong(lasts[slot]) > keptSeconds) {
        firsts[slot] = first;
      }
      lasts[slot] = ahead ? last : later(last, lasts[slot]);
      return;
    }
    if (size == capacity) {
      forgetLongestUnseen();
    }
    if (2 * (size + 1) > keys.length) {
      rebuild(2 * keys.length, 0);
    }
    slot = slot(network);
    keys[slot] = network + 1;
    firsts[slot] = first;
    lasts[slot] = last;
    size++;
  }

  /** True when the network was seen at or before a time, and not too long before {@code now}. */
  boolean seenBefore(long network, int time, int now) {
    int slot = slot(network);
    return keys[slot] != 0
        && Integer.compareUnsigned(firsts[slot], time) <= 0
        && Integer.toUnsignedLong(now) - Integer.toUnsignedLong(lasts[slot]) <= keptSeconds;
  }

  /** Takes times that lie ahead of {@code now} for {@code now}. */
  void clamp(int now) {
    for (int slot = 0; slot < keys.length; slot++) {
      firsts[slot] = earlier(firsts[slot], now);
      lasts[slot] = earlier(lasts[slot], now);
    }
  }

  /** Forgets networks that were last seen before a time. */
  void forgetBefore(int seconds) {
    for (int slot = 0; slot < keys.length; slot++) {
      if (keys[slot] != 0 && Integer.compareUnsigned(lasts[slot], seconds) < 0) {
        rebuild(keys.length, seconds);
        return;
      }
    }
  }

  <X extends Exception> void forEach(Visitor<X> visitor) throws X {
    for (int slot = 0; slot < keys.length; slot++) {
      if (keys[slot] != 0) {
        visitor.network(keys[slot] - 1, firsts[slot], lasts[slot]);
      }
    }
  }

  private static int earlier(int a, int b) {
    return Integer.compareUnsigned(a, b) < 0 ? a : b;
  }

  private static int later(int a, int b) {
    return Integer.compareUnsigned(a, b) > 0 ? a : b;
  }

  /** Where a network is or would be; a key stands one higher, as 0 marks an empty slot. */
  private int slot(long network) {
    int mask = keys.length - 1;
    int slot = (int) ((network * SPREAD) >>> Integer.SIZE) & mask;
    while (keys[slot] != 0 && keys[slot] != network + 1) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void forgetLongestUnseen() {
    int[] times = new int[size];
    int count = 0;
    for (int slot = 0; slot < keys.length; slot++) {
      if (keys[slot] != 0) {
        // So that plain sorting sorts unsigned times.
        times[count++] = lasts[slot] ^ Integer.MIN_VALUE;
      }
    }
    Arrays.sort(times);
    int forgotten = Math.max(1, size / FORGOTTEN_SHARE);
    rebuild(keys.length, (times[forgotten - 1] ^ Integer.MIN_VALUE) + 1);
  }

  /** Keeps what was seen at or after a time. */
  private void rebuild(int slots, int fromSeconds) {
    long[] oldKeys = keys;
    int[] oldFirsts = firsts;
    int[] oldLasts = lasts;
    keys = new long[slots];
    firsts = new int[slots];
    lasts = new int[slots];
    size = 0;
    for (int old = 0; old < oldKeys.length; old++) {
      if (oldKeys[old] != 0 && Integer.compareUnsigned(oldLasts[old], fromSeconds) >= 0) {
        int slot = slot(oldKeys[old] - 1);
        keys[slot] = oldKeys[old];
        firsts[slot] = oldFirsts[old];
        lasts[slot] = oldLasts[old];
        size++;
      }
    }
  }
}
