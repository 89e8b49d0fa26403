package io.bloomgate.blocklists.filter.kinds;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The fingerprints of a binary fuse filter, of 8 bits or of 16. Those of 16 are kept in two arrays,
 * so that a miss, which the lower octets nearly always decide, needs no more of the processor's
 * caches than with 8 bits. Filled by {@link FuseFilterBuilder} or from a file, on one thread; then
 * read by {@link FuseFilter}.
 */
final class FuseSlots {

  private final boolean wide;
  private byte[] lower = {};
  private byte[] upper = {};

  /** Makes empty slots; an empty filter has a few as well, so that it is read in the same way. */
  FuseSlots(boolean wide, int count) {
    this.wide = wide;
    resize(Math.max(count, FusePartitions.ARITY));
  }

  private void resize(int count) {
    lower = Arrays.copyOf(lower, count);
    upper = wide ? Arrays.copyOf(upper, count) : upper;
  }

  /**
   * Copies the fingerprints of a partition; slots of 8 bits keep their lower 8 bits. There is room
   * for all partitions unless one had to be widened.
   */
  void put(int at, short[] fingerprints, int count) {
    if (at + count > lower.length) {
      resize(at + count);
    }
    for (int i = 0; i < count; i++) {
      lower[at + i] = (byte) fingerprints[i];
      if (wide) {
        upper[at + i] = (byte) (fingerprints[i] >>> Byte.SIZE);
      }
    }
  }

  /** Takes that many from a file, where the octets of a fingerprint are together. */
  void read(MemorySegment body, int count) {
    if (!wide) {
      MemorySegment.copy(body, ValueLayout.JAVA_BYTE, 0, lower, 0, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      lower[i] = body.get(ValueLayout.JAVA_BYTE, 2L * i);
      upper[i] = body.get(ValueLayout.JAVA_BYTE, 2L * i + 1);
    }
  }

  /** Drops slots behind the last partition: repeated keys leave some. */
  void trim(FusePartitions partitions) {
    int kept = (int) Math.max(partitions.slots(), FusePartitions.ARITY);
    if (kept != lower.length) {
      resize(kept);
    }
  }

  boolean wide() {
    return wide;
  }

  /** The lower octet of each slot. */
  byte[] lower() {
    return lower;
  }

  /** The upper octet of each slot; none when they have 8 bits. */
  byte[] upper() {
    return upper;
  }
}
