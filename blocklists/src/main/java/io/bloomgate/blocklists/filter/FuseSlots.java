package io.bloomgate.blocklists.filter;

import java.util.Arrays;

/**
 * The fingerprints of a binary fuse filter while it is built, in either width. Used by {@link
 * FuseFilterBuilder} on one thread.
 */
sealed interface FuseSlots {

  /**
   * Copies the fingerprints of a partition; the narrow kind keeps their lower 8 bits. There is room
   * for all partitions unless one had to be widened.
   */
  void put(int at, short[] fingerprints, int count);

  /** The filter; the slots must not be used further. */
  FuseFilter filter(FusePartitions partitions, FilterShape shape);

  /** Fingerprints of 8 bits. */
  final class Narrow implements FuseSlots {

    private byte[] slots;

    Narrow(int count) {
      slots = new byte[Math.max(count, FusePartitions.ARITY)];
    }

    @Override
    public void put(int at, short[] fingerprints, int count) {
      if (at + count > slots.length) {
        slots = Arrays.copyOf(slots, at + count);
      }
      for (int i = 0; i < count; i++) {
        slots[at + i] = (byte) fingerprints[i];
      }
    }

    @Override
    public FuseFilter filter(FusePartitions partitions, FilterShape shape) {
      int kept = kept(partitions);
      return new Fuse8Filter(
          kept == slots.length ? slots : Arrays.copyOf(slots, kept), partitions, shape);
    }
  }

  /** Fingerprints of 16 bits. */
  final class Wide implements FuseSlots {

    private short[] slots;

    Wide(int count) {
      slots = new short[Math.max(count, FusePartitions.ARITY)];
    }

    @Override
    public void put(int at, short[] fingerprints, int count) {
      if (at + count > slots.length) {
        slots = Arrays.copyOf(slots, at + count);
      }
      System.arraycopy(fingerprints, 0, slots, at, count);
    }

    @Override
    public FuseFilter filter(FusePartitions partitions, FilterShape shape) {
      int kept = kept(partitions);
      return new Fuse16Filter(
          kept == slots.length ? slots : Arrays.copyOf(slots, kept), partitions, shape);
    }
  }

  /** Repeated keys leave room at the end; an empty filter is read like any other. */
  private static int kept(FusePartitions partitions) {
    return (int) Math.max(partitions.slots(), FusePartitions.ARITY);
  }
}
