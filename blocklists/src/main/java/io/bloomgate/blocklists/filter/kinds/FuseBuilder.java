package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.kinds.FuseFilter.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Builds a binary fuse filter. Called by {@link FilterKinds}; used once, by one thread, with about
 * 30 octets of memory a key.
 *
 * <p>The keys are the edges of a hypergraph whose nodes are the slots. Slots that only one key uses
 * are taken away with their key until nothing is left; in the reverse order each key finds a slot
 * that no later one reads, and sets it so that its three combine to its fingerprint (Graf and
 * Lemire, 2022, algorithm 1).
 */
final class FuseBuilder {

  /** A slot's count of keys is above two bits that say which of a key's slots it is. */
  private static final int COUNT_SHIFT = 2;

  private static final int COUNT_ONE = 1 << COUNT_SHIFT;
  private static final int WHICH = COUNT_ONE - 1;
  private static final int MAX_COUNT = 0xff >>> COUNT_SHIFT;
  private static final int ATTEMPTS_AT_A_SHAPE = 4;

  /** Memory for each slot while the filter is built. */
  private static final int OCTETS_A_SLOT = 24;

  private final FilterKind kind;

  /** The hashes; later the mixed ones in the order of their removal. */
  private long[] keys;

  /** The one of its three slots that a removed key sets. */
  private byte[] which = new byte[0];

  /** The combination of the keys that use a slot, and their count. */
  private long[] edges = new long[0];

  private byte[] counts = new byte[0];
  private Layout layout = new Layout(0, 0, 0);

  private FuseBuilder(FilterKind kind, long[] keys) {
    this.kind = kind;
    this.keys = keys;
  }

  /** The rate of a kind, whatever the number of keys. */
  static double rate(FilterKind kind) {
    return Math.scalb(1.0, -FuseFilter.width(kind));
  }

  /**
   * Builds the filter.
   *
   * @throws FilterBuildException when the keys are too many or every attempt failed
   */
  static FuseFilter build(FilterKind kind, FilterRequest request, HashSource source)
      throws FilterBuildException {
    long count = source.count();
    long slots = layout(count, 0).slots();
    if (count > FuseFilter.MAX_SLOTS || slots > FuseFilter.MAX_SLOTS) {
      throw new FilterBuildException(
          kind.word() + " holds no more than 1.9 thousand million keys; use split-block");
    }
    FilterSizing.checkMemory(slots * OCTETS_A_SLOT);
    long[] keys = new long[(int) count];
    int[] next = {0};
    source.forEach(hash -> {
      if (next[0] == keys.length) {
        throw new IllegalStateException("the source of hashes gave more when walked again");
      }
      keys[next[0]++] = hash;
    });
    return new FuseBuilder(kind, keys).build(request);
  }

  private FuseFilter build(FilterRequest request) throws FilterBuildException {
    long[] hashes = keys;
    long widened = 0;
    for (int attempt = 0; attempt < FuseFilter.MAX_ATTEMPTS; attempt++) {
      Layout usual = layout(hashes.length, attempt);
      layout = new Layout(attempt, usual.segmentBits(), usual.segments() + widened);
      if (hashes.length == 0 || fallsApart(hashes)) {
        return filter(request, hashes.length);
      }
      if (attempt == 0) {
        // A repeated key makes every attempt fail; to look for one before is waste.
        hashes = Arrays.stream(hashes).sorted().distinct().toArray();
      } else if (attempt % ATTEMPTS_AT_A_SHAPE == 0) {
        // Where a segment length has just doubled, the published constants give too few segments
        // for any seed to succeed (11,511 keys are such a number).
        widened++;
      }
    }
    throw new FilterBuildException(
        kind.word() + " could not be built, which random hashes never need; use split-block");
  }

  /**
   * The layout for distinct keys, with the constants that Graf and Lemire found by experiment
   * (2022, section 4).
   */
  static Layout layout(long keys, int attempt) {
    if (keys == 0) {
      return new Layout(0, 0, 0);
    }
    double length = Math.floor(Math.log((double) keys) / Math.log(3.33) + 2.25);
    int bits = (int) Math.min(length, FuseFilter.MAX_SEGMENT_BITS);
    double ratio =
        keys == 1
            ? 1.125
            : Math.max(1.125, 0.875 + 0.25 * Math.log(1_000_000) / Math.log((double) keys));
    long all = Math.ceilDiv(Math.round(keys * ratio), 1L << bits);
    return new Layout(attempt, bits, Math.max(1, all - (FuseFilter.ARITY - 1)));
  }

  /** Tries once; false is certain when a key is there twice. */
  private boolean fallsApart(long[] hashes) {
    int slots = (int) layout.slots();
    edges = new long[slots];
    counts = new byte[slots];
    which = new byte[hashes.length];
    keys = new long[hashes.length];
    int fullest = 0;
    for (long hash : hashes) {
      long mixed = layout.mixed(hash);
      int first = layout.first(mixed);
      fullest = Math.max(fullest, enter(first, 0, mixed));
      fullest = Math.max(fullest, enter(layout.second(first, mixed), 1, mixed));
      fullest = Math.max(fullest, enter(layout.third(first, mixed), 2, mixed));
      if (fullest == MAX_COUNT) {
        return false;
      }
    }
    return peel() == hashes.length;
  }

  private int enter(int slot, int place, long mixed) {
    int count = ((counts[slot] & 0xff) + COUNT_ONE) ^ place;
    counts[slot] = (byte) count;
    edges[slot] ^= mixed;
    return count >>> COUNT_SHIFT;
  }

  /** Takes keys away while a slot has only one; returns how many went. */
  private int peel() {
    int[] alone = new int[counts.length];
    int waiting = 0;
    for (int i = 0; i < counts.length; i++) {
      alone[waiting] = i;
      waiting += (counts[i] & 0xff) >>> COUNT_SHIFT == 1 ? 1 : 0;
    }
    int removed = 0;
    while (waiting > 0) {
      int slot = alone[--waiting];
      int count = counts[slot] & 0xff;
      if (count >>> COUNT_SHIFT == 1) {
        long mixed = edges[slot];
        keys[removed] = mixed;
        which[removed++] = (byte) (count & WHICH);
        int first = layout.first(mixed);
        int[] places = {first, layout.second(first, mixed), layout.third(first, mixed)};
        counts[slot] = 0;
        for (int place = 0; place < places.length; place++) {
          if (place != (count & WHICH)) {
            int left = ((counts[places[place]] & 0xff) - COUNT_ONE) ^ place;
            counts[places[place]] = (byte) left;
            edges[places[place]] ^= mixed;
            alone[waiting] = places[place];
            waiting += left >>> COUNT_SHIFT == 1 ? 1 : 0;
          }
        }
      }
    }
    return removed;
  }

  private FuseFilter filter(FilterRequest request, int count) {
    int slots = (int) layout.slots();
    short[] prints = new short[slots];
    for (int i = count - 1; i >= 0; i--) {
      long mixed = keys[i];
      int first = layout.first(mixed);
      int second = layout.second(first, mixed);
      int third = layout.third(first, mixed);
      // The key's own slot is still 0, so that all three can be combined without asking which.
      int value = Layout.fingerprint(mixed) ^ prints[first] ^ prints[second] ^ prints[third];
      prints[which[i] == 0 ? first : which[i] == 1 ? second : third] = (short) value;
    }
    int width = FuseFilter.width(kind);
    MemorySegment octets = MemorySegment.ofArray(new byte[slots * (width / Byte.SIZE)]);
    for (int i = 0; i < slots; i++) {
      if (kind == FilterKind.FUSE8) {
        octets.set(ValueLayout.JAVA_BYTE, i, (byte) prints[i]);
      } else {
        octets.set(
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 2L * i, prints[i]);
      }
    }
    return new FuseFilter(
        layout,
        octets,
        new FilterShape(
            kind,
            count,
            Math.max(count, request.capacity()),
            (long) slots * width,
            FuseFilter.ARITY,
            request.rate(),
            count == 0 ? 0 : rate(kind),
            count == 0 ? 0 : count / (double) slots));
  }
}
