package io.bloomgate.blocklists.filter.kinds;

import java.util.Arrays;

/**
 * The fingerprints of a binary fuse filter, of 8 bits or of 16. Filled by {@link FuseFilterBuilder}
 * or from a file, on one thread; then read by {@link FuseFilter}.
 */
final class FuseSlots {

  private final boolean wide;
  private byte[] octets = {};
  private short[] shorts = {};

  /** Empty slots; an empty filter has a few as well, so that it is read in the same way. */
  FuseSlots(boolean wide, int count) {
    this.wide = wide;
    resize(Math.max(count, FusePartitions.ARITY));
  }

  private void resize(int count) {
    if (wide) {
      shorts = Arrays.copyOf(shorts, count);
    } else {
      octets = Arrays.copyOf(octets, count);
    }
  }

  private int length() {
    return wide ? shorts.length : octets.length;
  }

  /**
   * Copies the fingerprints of a partition; slots of 8 bits keep their lower 8 bits. There is room
   * for all partitions unless one had to be widened.
   */
  void put(int at, short[] fingerprints, int count) {
    if (at + count > length()) {
      resize(at + count);
    }
    if (wide) {
      System.arraycopy(fingerprints, 0, shorts, at, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      octets[at + i] = (byte) fingerprints[i];
    }
  }

  /** Drops slots behind the last partition: repeated keys leave some. */
  void trim(FusePartitions partitions) {
    int kept = (int) Math.max(partitions.slots(), FusePartitions.ARITY);
    if (kept != length()) {
      resize(kept);
    }
  }

  boolean wide() {
    return wide;
  }

  /** The slots of 8 bits; none when they have 16. */
  byte[] octets() {
    return octets;
  }

  /** The slots of 16 bits; none when they have 8. */
  short[] shorts() {
    return shorts;
  }
}
