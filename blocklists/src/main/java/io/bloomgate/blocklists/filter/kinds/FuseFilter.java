package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Binary fuse filter: each key has three slots near each other whose fingerprints combine to its
 * own. Frozen: {@link FuseBuilder} makes it from all its keys at once. It spends 9 or 18 bits on a
 * key where keys are many (1.13 slots a key; about 1.4 at a thousand keys) and has one rate for
 * each width, 1/256 or 1/65,536. Asked on any thread; immutable.
 *
 * <p>After Graf and Lemire, "Binary Fuse Filters: Fast and Smaller Than Xor Filters" (2022),
 * 3-wise. The {@code fill} of its shape is the ratio of keys to slots.
 *
 * <p>In a file: a row of 16 octets, then the fingerprints. The row is the u32 number of the attempt
 * that succeeded, the u32 binary logarithm of the segment length, and the u64 number of segments,
 * which is 0 where no key is. The one measure is 0.
 */
public final class FuseFilter implements MembershipFilter {

  /** Slots of a key. */
  static final int ARITY = 3;

  /** Attempts to build a filter; see {@link FuseBuilder}. */
  static final int MAX_ATTEMPTS = 100;

  /** Segments of 2 to the 18 slots are the longest that help (Graf and Lemire, section 4). */
  static final int MAX_SEGMENT_BITS = 18;

  static final long MAX_SLOTS = Integer.MAX_VALUE - 8;
  private static final int ROW_OCTETS = 16;

  /** The second segment takes bits of the hash from here, the third those from 0. */
  private static final int SECOND_SHIFT = 18;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Layout layout;
  private final MemorySegment slots;
  private final FilterShape shape;
  private final boolean wide;

  /** Takes the slots over; called by {@link FuseBuilder} and {@link #read}. */
  FuseFilter(Layout layout, MemorySegment slots, FilterShape shape) {
    this.layout = layout;
    this.slots = slots;
    this.shape = shape;
    this.wide = shape.kind() == FilterKind.FUSE16;
  }

  /**
   * The places of keys. Immutable.
   *
   * @param attempt that succeeded; it gives the seed, so that the same keys give the same file
   * @param segmentBits binary logarithm of the slots of a segment
   * @param segments in which a key's first slot may lie; two more follow
   */
  record Layout(int attempt, int segmentBits, long segments) {

    /** Spreads a hash over 64 bits: the finalizer of MurmurHash3 (Appleby, 2011), a bijection. */
    static long mix(long seeded) {
      long h = seeded;
      h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
      h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
      return h ^ (h >>> 33);
    }

    long mixed(long hash) {
      return mix(hash + mix(GOLDEN * (attempt + 1)));
    }

    int first(long mixed) {
      return (int) Math.unsignedMultiplyHigh(mixed, segments << segmentBits);
    }

    /** One segment further, at a place that the hash chooses. */
    int second(int first, long mixed) {
      int length = 1 << segmentBits;
      return (first + length) ^ ((int) (mixed >>> SECOND_SHIFT) & (length - 1));
    }

    /** Two segments further. */
    int third(int first, long mixed) {
      int length = 1 << segmentBits;
      return (first + 2 * length) ^ ((int) mixed & (length - 1));
    }

    /** The value to which three slots combine; the narrow filter keeps its lower 8 bits. */
    static int fingerprint(long mixed) {
      return (int) (mixed ^ (mixed >>> 32));
    }

    /** All slots. */
    long slots() {
      return segments == 0 ? 0 : (segments + ARITY - 1) << segmentBits;
    }
  }

  /** Bits of a fingerprint. */
  static int width(FilterKind kind) {
    return kind == FilterKind.FUSE8 ? Byte.SIZE : Short.SIZE;
  }

  @Override
  public int probe(long hash) {
    if (layout.segments() == 0) {
      return 0;
    }
    long mixed = layout.mixed(hash);
    int first = layout.first(mixed);
    int slotsCombined =
        slot(first) ^ slot(layout.second(first, mixed)) ^ slot(layout.third(first, mixed));
    int difference = (Layout.fingerprint(mixed) ^ slotsCombined) & (wide ? 0xffff : 0xff);
    return (difference - 1) >>> (Integer.SIZE - 1);
  }

  private int slot(int index) {
    return wide ? slots.get(SHORT, 2L * index) : slots.get(ValueLayout.JAVA_BYTE, index);
  }

  @Override
  public FilterShape shape() {
    return shape;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    out.putInt(layout.attempt());
    out.putInt(layout.segmentBits());
    out.putLong(layout.segments());
    for (long at = 0; at < slots.byteSize(); at++) {
      out.putByte(slots.get(ValueLayout.JAVA_BYTE, at));
    }
    return List.of(0L);
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static FuseFilter read(FilterKind kind, PagedFile file, boolean mapped) throws IOException {
    file.verify();
    FileHeader header = file.header();
    MemorySegment body = file.body();
    FilterFile.check(file, header.measures().equals(List.of(0L)) && body.byteSize() >= ROW_OCTETS);
    Layout layout = new Layout(body.get(INT, 0), body.get(INT, 4), body.get(WordBody.WORD, 8));
    FilterFile.check(
        file,
        layout.attempt() >= 0
            && layout.attempt() < MAX_ATTEMPTS
            && layout.segmentBits() >= 0
            && layout.segmentBits() <= MAX_SEGMENT_BITS
            && layout.segments() >= 0
            && layout.segments() <= MAX_SLOTS >> layout.segmentBits());
    long count = layout.slots();
    FilterFile.check(
        file,
        count <= MAX_SLOTS
            && count * width(kind) / Byte.SIZE == body.byteSize() - ROW_OCTETS
            && header.askedRate() > 0
            && header.askedRate() < 1
            && header.entries() >= (count == 0 ? 0 : 1)
            && header.entries() <= count);
    MemorySegment slots = body.asSlice(ROW_OCTETS);
    return new FuseFilter(
        layout,
        mapped ? slots : MemorySegment.ofArray(slots.toArray(ValueLayout.JAVA_BYTE)),
        FilterShape.of(
            kind,
            header,
            count * width(kind),
            ARITY,
            count == 0 ? 0 : header.entries() / (double) count));
  }
}
