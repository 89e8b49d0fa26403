package io.bloomgate.blocklists.senders;

import java.util.Arrays;

/**
 * A bounded table of hosts with the last time that each was seen and the days on which it was: 16
 * octets a slot, two slots a host or more. Used by {@link KnownSenders} under its lock.
 */
final class SeenHosts {

  private static final int LEAST_SLOTS = 1 << 10;

  /** Share of a full table that is forgotten at once, so that forgetting is rare. */
  private static final int FORGOTTEN_SHARE = 8;

  /** An odd number whose product spreads neighbouring hosts over the table (Fibonacci). */
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private static final int DAY_SECONDS = 86_400;

  private final int capacity;
  private long[] keys;
  private int[] lasts;

  /** The day of the last time in the lowest bit, the day before in the next, and so on. */
  private int[] days;

  private int size;

  /**
   * @param capacity hosts that are kept at most; beyond, the longest unseen are forgotten
   */
  SeenHosts(int capacity) {
    this.capacity = capacity;
    this.keys = new long[LEAST_SLOTS];
    this.lasts = new int[LEAST_SLOTS];
    this.days = new int[LEAST_SLOTS];
  }

  /** Takes every host with what is known of it. */
  interface Visitor<X extends Exception> {
    void host(long host, int last, int days) throws X;
  }

  int size() {
    return size;
  }

  /** Notes that a host was seen at a time, in seconds of the epoch. */
  void see(long host, int seconds) {
    put(host, seconds, 1);
  }

  /** Puts back what {@link #forEach} gave, or adds it to what is known. */
  void put(long host, int last, int seenDays) {
    int slot = slot(host);
    if (keys[slot] != 0) {
      boolean newer = Integer.compareUnsigned(last, lasts[slot]) > 0;
      days[slot] =
          newer
              ? seenDays | earlier(days[slot], lasts[slot], last)
              : days[slot] | earlier(seenDays, last, lasts[slot]);
      lasts[slot] = newer ? last : lasts[slot];
      return;
    }
    if (size == capacity) {
      forgetLongestUnseen();
    }
    if (2 * (size + 1) > keys.length) {
      rebuild(2 * keys.length, 0);
    }
    slot = slot(host);
    keys[slot] = host + 1;
    lasts[slot] = last;
    days[slot] = seenDays;
    size++;
  }

  /**
   * The days on which a host was seen, the day of a time in the lowest bit, up to 31 days before;
   * none for one that is unknown.
   */
  int daysBefore(long host, int seconds) {
    int slot = slot(host);
    return keys[slot] == 0 ? 0 : earlier(days[slot], lasts[slot], seconds);
  }

  /** Days that are counted from one time, counted from another. */
  static int earlier(int days, int from, int to) {
    long passed = day(to) - day(from);
    if (passed >= 0) {
      return passed < Integer.SIZE ? days << passed : 0;
    }
    // The clock was wrong then: what lies ahead counts as the day itself.
    return passed > -Integer.SIZE ? days >>> -passed | 1 : 1;
  }

  private static long day(int seconds) {
    return Integer.toUnsignedLong(seconds) / DAY_SECONDS;
  }

  /** Takes times that lie ahead of {@code now} for {@code now}. */
  void clamp(int now) {
    for (int slot = 0; slot < keys.length; slot++) {
      if (Integer.compareUnsigned(lasts[slot], now) > 0) {
        days[slot] = earlier(days[slot], lasts[slot], now);
        lasts[slot] = now;
      }
    }
  }

  /** Forgets hosts that were last seen before a time. */
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
        visitor.host(keys[slot] - 1, lasts[slot], days[slot]);
      }
    }
  }

  /** The slot where a host is or would be; a key is stored one higher, as 0 marks an empty slot. */
  private int slot(long host) {
    int mask = keys.length - 1;
    int slot = (int) ((host * SPREAD) >>> Integer.SIZE) & mask;
    while (keys[slot] != 0 && keys[slot] != host + 1) {
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
    int[] oldDays = days;
    int[] oldLasts = lasts;
    keys = new long[slots];
    days = new int[slots];
    lasts = new int[slots];
    size = 0;
    for (int old = 0; old < oldKeys.length; old++) {
      if (oldKeys[old] != 0 && Integer.compareUnsigned(oldLasts[old], fromSeconds) >= 0) {
        int slot = slot(oldKeys[old] - 1);
        keys[slot] = oldKeys[old];
        days[slot] = oldDays[old];
        lasts[slot] = oldLasts[old];
        size++;
      }
    }
  }
}
