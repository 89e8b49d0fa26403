package io.bloomgate.blocklists.workbench.dedup;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Remembers what was seen in the last window of time: a ring of eight split-block filters of which
 * one is filled, all are asked, and the oldest is emptied when the ring turns. It turns when a
 * seventh of the window is over, or when the filled one holds a seventh of the entries. What was
 * seen is remembered until it was not seen for between one window and a seventh more. Used by
 * {@link Dedup} on its thread.
 *
 * <p>The eight filters share their places: a place is an octet with a bit for each filter. A hash
 * has one place in each of the eight lanes of 32 places of one block, so that eight octets,
 * combined by AND, say at once which filters hold it.
 */
final class SeenRing {

  private static final int FILTERS = Byte.SIZE;

  /** Filters whose time together is one window; one more is being filled. */
  private static final int PARTS = FILTERS - 1;

  private static final int LANES = 8;
  private static final int LANE_BITS = 5;
  private static final int LANE = 1 << LANE_BITS;
  private static final int BLOCK = LANES * LANE;
  private static final double MISSED_LANE = 1 - 1.0 / LANE;

  private final byte[] places;
  private final long blocks;
  private final long capacity;
  private final long period;
  private final long[] entries = new long[FILTERS];
  private long began;
  private int filled;
  private long forgotTooEarly;

  /** Turns so far, and for each hash that was deleted the turn at which it was. */
  private long turns;

  private final Map<Long, Long> deleted = new HashMap<>();

  /**
   * An empty ring.
   *
   * @param period nanoseconds in which one filter is filled, 0 for as long as it takes
   * @param now in nanoseconds
   */
  SeenRing(Size size, long period, long now) {
    this.blocks = size.blocks();
    this.capacity = size.capacity();
    this.period = period;
    this.began = now;
    this.places = new byte[Math.toIntExact(size.octets())];
  }

  /**
   * The size of a ring.
   *
   * @param blocks in all filters
   * @param capacity different hashes that one filter takes
   */
  record Size(long blocks, long capacity) {

    /** The most blocks that one array holds. */
    static final long MAX_BLOCKS = (Integer.MAX_VALUE - 64) / BLOCK;

    /**
     * The smallest ring that keeps the rate, or one that no array holds.
     *
     * @param entries different hashes in a window
     * @param rate ratio of false positives when all filters are full
     */
    static Size of(long entries, double rate) {
      long capacity = Math.ceilDiv(entries, (long) PARTS);
      long low = 1;
      long high = MAX_BLOCKS + 1;
      while (low < high) {
        long middle = (low + high) >>> 1;
        if (new Size(middle, capacity).rate() <= rate) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return new Size(low, capacity);
    }

    /** Memory; there is no array of more than 2 GiB. */
    long octets() {
      return blocks * BLOCK;
    }

    boolean isTooLarge() {
      return blocks > MAX_BLOCKS;
    }

    /**
     * Ratio of false positives when all filters are full. The hashes of one filter on a block are
     * Poisson distributed; j of them hit a random hash with (1 - (31/32)^j)^8 (Putze, Sanders and
     * Singler, 2007, section 3, with lanes).
     */
    double rate() {
      double mean = capacity / (double) blocks;
      double missed = 1;
      double weight = Math.exp(-mean);
      double last = mean + 12 * Math.sqrt(mean) + 40;
      double rate = weight == 0 ? 1 : 0;
      for (int j = 0; j <= last; j++) {
        rate += weight * Math.pow(1 - missed, LANES);
        weight *= mean / (j + 1);
        missed *= MISSED_LANE;
      }
      return 1 - Math.pow(1 - Math.min(rate, 1), FILTERS);
    }
  }

  /** The time in which one filter of a window is filled. */
  static long period(long window) {
    return Math.max(1, window / PARTS);
  }

  /** Turns the ring as far as the time says. */
  void advance(long now) {
    if (period == 0 || now - began < period) {
      return;
    }
    long periods = (now - began) / period;
    for (long i = Math.min(periods, FILTERS); i > 0; i--) {
      turn();
    }
    began += periods * period;
  }

  private void turn() {
    filled = (filled + 1) % FILTERS;
    byte others = (byte) ~(1 << filled);
    for (int at = 0; at < places.length; at++) {
      places[at] &= others;
    }
    entries[filled] = 0;
    turns++;
    // None of the filters that held them then is left.
    deleted.values().removeIf(turn -> turns - turn >= FILTERS);
  }

  /** Forgets a hash: when it comes again, it is new. */
  void delete(long hash) {
    deleted.put(hash, turns);
  }

  private int block(long hash) {
    return (int) Math.unsignedMultiplyHigh(hash, blocks) * BLOCK;
  }

  /**
   * Remembers a hash.
   *
   * @param now in nanoseconds
   * @return true when it was certainly not seen in the window
   */
  boolean isNew(long hash, long now) {
    byte[] p = places;
    int at = block(hash);
    long bits = SplitMix.mix(hash);
    int holders = -1;
    for (int lane = 0; lane < LANES; lane++) {
      holders &= p[place(at, lane, bits)];
    }
    if (((holders >>> filled) & 1) == 0) {
      if (entries[filled] == capacity) {
        turnEarly(now);
      }
      byte mark = (byte) (1 << filled);
      for (int lane = 0; lane < LANES; lane++) {
        p[place(at, lane, bits)] |= mark;
      }
      entries[filled]++;
    }
    boolean isDeleted = !deleted.isEmpty() && deleted.remove(hash) != null;
    return isDeleted || (holders & 0xff) == 0;
  }

  private static int place(int at, int lane, long bits) {
    return at + lane * LANE + ((int) (bits >>> (lane * LANE_BITS)) & (LANE - 1));
  }

  private void turnEarly(long now) {
    forgotTooEarly += entries[(filled + 1) % FILTERS];
    turn();
    began = now;
  }

  /** Hashes that were forgotten before their time, because more of them came than asked for. */
  long forgotTooEarly() {
    return forgotTooEarly;
  }

  /** Turns so far; another number says that a state that was kept has become old. */
  long turns() {
    return turns;
  }

  /**
   * Appends what is remembered to a file.
   *
   * @return the measures with which {@link #read} reads it
   */
  List<Long> write(PagedFileWriter out) throws IOException {
    out.putBytes(places, 0, places.length);
    for (Map.Entry<Long, Long> each : deleted.entrySet()) {
      out.putLong(each.getKey());
      out.putLong(each.getValue());
    }
    List<Long> measures =
        new ArrayList<>(List.of(blocks, capacity, period, began, (long) filled, turns));
    Arrays.stream(entries).forEach(measures::add);
    return measures;
  }

  /** Takes over what {@link #write} wrote; false when it was a ring of another size or window. */
  boolean read(FileHeader header, MemorySegment body) {
    List<Long> m = header.measures();
    if (m.size() != 6 + FILTERS
        || !m.subList(0, 3).equals(List.of(blocks, capacity, period))
        || m.get(4) < 0
        || m.get(4) >= FILTERS
        || body.byteSize() < places.length
        || (body.byteSize() - places.length) % (2 * Long.BYTES) != 0) {
      return false;
    }
    began = m.get(3);
    filled = m.get(4).intValue();
    turns = m.get(5);
    Arrays.setAll(entries, i -> m.get(6 + i));
    MemorySegment.copy(body, ValueLayout.JAVA_BYTE, 0, places, 0, places.length);
    for (long at = places.length; at < body.byteSize(); at += 2 * Long.BYTES) {
      deleted.put(body.get(WordBody.WORD, at), body.get(WordBody.WORD, at + Long.BYTES));
    }
    return true;
  }
}
