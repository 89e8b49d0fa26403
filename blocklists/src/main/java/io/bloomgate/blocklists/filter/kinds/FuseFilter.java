package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Binary fuse filter: each key has three slots near each other whose fingerprints combine to its
 * own. Frozen: made from all its keys at once. It spends 9 or 18 bits on a key where keys are many
 * (1.13 slots a key; about 1.4 at a thousand keys) and has one rate for each width, 1/256 or
 * 1/65,536; half of a blocked Bloom filter's space at the lower one, for three memory accesses in
 * place of one. Asked on any thread; immutable.
 *
 * <p>After Graf and Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters" (2022),
 * 3-wise, with partitions of their own seeds and segments (see {@link FusePartitions}). The {@code
 * fill} of its shape is the ratio of keys to slots.
 *
 * <p>In a file: a row of 16 octets for each partition, then the fingerprints. A row is the u32
 * number of the attempt that succeeded (see {@link FusePartitions#SHARED}), the u32 binary
 * logarithm of the segment length, and the u64 number of segments, which is 0 where no key is.
 * Measures: the bits that number a partition.
 */
public final class FuseFilter implements MembershipFilter {

  private static final int MEASURE_BITS = 0;
  private static final int ROW_OCTETS = 16;
  private static final long MAX_SEGMENTS =
      Integer.MAX_VALUE - (2L << FusePartitions.MAX_SEGMENT_BITS);

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final boolean wide;
  private final byte[] lower;
  private final byte[] upper;
  private final FusePartitions partitions;
  private final long[] rows;
  private final int bits;
  private final FilterShape shape;

  /** True when all partitions have keys, one seed and one shape, as they usually have. */
  private final boolean alike;

  private final long seed;

  /** Hash bits below those that number a partition, where there are several. */
  private final int shift;

  /** Slots of every partition, of a segment, and those in which a first slot may lie. */
  private final int stride;

  private final int length;
  private final long span;

  /** Takes the slots over; called by {@link FuseFilterBuilder} and {@link #read}. */
  FuseFilter(FuseSlots slots, FusePartitions partitions, FilterShape shape) {
    this.wide = slots.wide();
    this.lower = slots.lower();
    this.upper = slots.upper();
    this.partitions = partitions;
    this.rows = partitions.rows();
    this.bits = partitions.bits();
    this.shape = shape;
    this.alike = partitions.areAlike();
    FusePartitions.Shape first = alike ? partitions.shape(0) : new FusePartitions.Shape(0, 0);
    this.seed = rows[FusePartitions.SEED];
    this.shift = Long.SIZE - bits;
    this.stride = first.slots();
    this.length = 1 << first.segmentBits();
    this.span = first.segments() << first.segmentBits();
  }

  /** Bits of a fingerprint. */
  static int width(FilterKind kind) {
    return kind == FilterKind.FUSE8 ? Byte.SIZE : Short.SIZE;
  }

  @Override
  public int probe(long hash) {
    // Only 0 has a sign below it.
    return (difference(hash) - 1) >>> (Integer.SIZE - 1);
  }

  @Override
  public boolean mightContain(long hash) {
    return difference(hash) == 0;
  }

  /** 0 when the three slots of a hash combine to its fingerprint; never negative. */
  private int difference(long hash) {
    // The same branches for every hash, so the processor always knows them.
    if (!alike) {
      return differenceByRow(hash);
    }
    long mixed = FusePartitions.mix(hash + seed);
    int first = FusePartitions.first(mixed, span);
    return bits == 0
        ? difference(first, mixed)
        : difference((int) (hash >>> shift) * stride + first, mixed);
  }

  private int difference(int first, long mixed) {
    // The stride is a whole number of segments, so the bits that the hash changes are below it.
    int mask = length - 1;
    int second = (first + length) ^ ((int) (mixed >>> FusePartitions.SECOND_SHIFT) & mask);
    int third = (first + 2 * length) ^ ((int) mixed & mask);
    return difference(first, second, third, FusePartitions.fingerprint(mixed));
  }

  /** The upper octets are read only where the lower ones agree: of misses, one in 256. */
  private int difference(int first, int second, int third, int fingerprint) {
    byte[] l = lower;
    int low = (fingerprint ^ l[first] ^ l[second] ^ l[third]) & 0xff;
    if (!wide || low != 0) {
      return low;
    }
    byte[] u = upper;
    return (fingerprint >>> Byte.SIZE ^ u[first] ^ u[second] ^ u[third]) & 0xff;
  }

  /** The difference of fingerprints where partitions have no keys, or several seeds or shapes. */
  private int differenceByRow(long hash) {
    long[] t = rows;
    int row = FusePartitions.number(hash, bits) << FusePartitions.ROW_SHIFT;
    long mixed = FusePartitions.mix(hash + t[row + FusePartitions.SEED]);
    int base = (int) t[row + FusePartitions.BASE];
    int none = (int) (t[row + FusePartitions.BASE] >>> FusePartitions.NONE_SHIFT);
    int mask = (int) t[row + FusePartitions.MASK];
    int first = FusePartitions.first(mixed, t[row + FusePartitions.SPAN]);
    int second = base + FusePartitions.second(first, mixed, mask);
    int third = base + FusePartitions.third(first, mixed, mask);
    return difference(base + first, second, third, FusePartitions.fingerprint(mixed)) | none;
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    for (int p = 0; p < partitions.count(); p++) {
      boolean empty = partitions.empty(p);
      out.putInt(empty ? 0 : partitions.attempt(p));
      out.putInt(empty ? 0 : partitions.shape(p).segmentBits());
      out.putLong(empty ? 0 : partitions.shape(p).segments());
    }
    int slots = (int) partitions.slots();
    for (int i = 0; i < slots; i++) {
      out.putByte(lower[i]);
      if (wide) {
        out.putByte(upper[i]);
      }
    }
    return List.of((long) bits);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static FuseFilter read(PagedFile file) throws IOException {
    file.verify();
    FusePartitions partitions = readRows(file);
    FilterKind kind =
        file.header().kind() == FilterKind.FUSE8.file() ? FilterKind.FUSE8 : FilterKind.FUSE16;
    int octetsOfSlot = width(kind) / Byte.SIZE;
    long rows = (long) partitions.count() * ROW_OCTETS;
    long entries = file.header().entries();
    if (partitions.slots() > Integer.MAX_VALUE - 8
        || partitions.slots() * octetsOfSlot != file.body().byteSize() - rows
        || !(file.header().askedRate() > 0 && file.header().askedRate() < 1)
        || entries < partitions.used()
        || entries > partitions.slots()) {
      throw unlike(file);
    }
    int count = Math.toIntExact(partitions.slots());
    FuseSlots slots = new FuseSlots(kind == FilterKind.FUSE16, count);
    slots.read(file.body().asSlice(rows), count);
    return new FuseFilter(slots, partitions, shape(kind, file.header(), partitions.slots()));
  }

  private static FusePartitions readRows(PagedFile file) throws DamagedFileException {
    long bits = file.header().measure(MEASURE_BITS);
    if (bits < 0
        || bits > FusePartitions.MAX_BITS
        || file.body().byteSize() < (long) ROW_OCTETS << bits) {
      throw unlike(file);
    }
    FusePartitions partitions = new FusePartitions((int) bits);
    for (int p = 0; p < partitions.count(); p++) {
      long row = (long) p * ROW_OCTETS;
      int attempt = file.body().get(INT, row);
      int segmentBits = file.body().get(INT, row + 4);
      long segments = file.body().get(LONG, row + 8);
      if (attempt < 0
          || (attempt & ~FusePartitions.SHARED) >= FusePartitions.MAX_ATTEMPTS
          || segmentBits < 0
          || segmentBits > FusePartitions.MAX_SEGMENT_BITS
          || segments < 0
          || segments > MAX_SEGMENTS >> segmentBits) {
        throw unlike(file);
      }
      if (segments > 0) {
        partitions.put(p, attempt, new FusePartitions.Shape(segmentBits, segments));
      }
    }
    return partitions;
  }

  private static FilterShape shape(FilterKind kind, FileHeader header, long slots) {
    return new FilterShape(
        kind,
        header.entries(),
        header.capacity(),
        slots * width(kind),
        FusePartitions.ARITY,
        header.askedRate(),
        header.expectedRate(),
        slots == 0 ? 0 : header.entries() / (double) slots);
  }

  private static DamagedFileException unlike(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no fuse filter has");
  }
}
