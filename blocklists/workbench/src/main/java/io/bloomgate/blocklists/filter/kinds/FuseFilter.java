package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Binary fuse filter: each key has three slots near each other whose fingerprints combine to its
 * own. Frozen: {@link Builder} makes it from all its keys at once. It spends 9 or 18 bits on a key
 * where keys are many (1.13 slots a key; about 1.4 at a thousand keys) and has one rate for each
 * width, 1/256 or 1/65,536. Asked on any thread; immutable.
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

  /** Attempts to build a filter; see {@link Builder}. */
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
  static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Layout layout;
  private final MemorySegment slots;
  private final FilterShape shape;
  private final boolean wide;

  /** Takes the slots over; called by {@link Builder} and {@link #read}. */
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

    /** The slots of a key: anywhere, and one and two segments further where the hash says. */
    int[] places(long mixed) {
      int first = (int) Math.unsignedMultiplyHigh(mixed, segments << segmentBits);
      int length = 1 << segmentBits;
      return new int[] {
        first,
        (first + length) ^ ((int) (mixed >>> SECOND_SHIFT) & (length - 1)),
        (first + 2 * length) ^ ((int) mixed & (length - 1))
      };
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
    int[] places = layout.places(mixed);
    int combined = slot(places[0]) ^ slot(places[1]) ^ slot(places[2]);
    int difference = (Layout.fingerprint(mixed) ^ combined) & (wide ? 0xffff : 0xff);
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

  /**
   * Builds a binary fuse filter. Called by {@link FilterKinds}; used once, by one thread, with
   * about 30 octets of memory a key.
   *
   * <p>The keys are the edges of a hypergraph whose nodes are the slots. Slots that only one key
   * uses are taken away with their key until nothing is left; in the reverse order each key finds a
   * slot that no later one reads, and sets it so that its three combine to its fingerprint (Graf
   * and Lemire, 2022, algorithm 1).
   */
  static final class Builder {

    private static final int ATTEMPTS_AT_A_SHAPE = 4;

    /** Memory for each slot while the filter is built. */
    private static final int OCTETS_A_SLOT = 24;

    private final FilterKind kind;

    /** The hashes; later the mixed ones in the order of their removal. */
    private long[] keys;

    /** The one of its three slots that a removed key sets. */
    private byte[] which = new byte[0];

    /** The combination of the keys that use a slot, and their number. */
    private long[] edges = new long[0];

    private byte[] counts = new byte[0];
    private Layout layout = new Layout(0, 0, 0);

    private Builder(FilterKind kind, long[] keys) {
      this.kind = kind;
      this.keys = keys;
    }

    /** The rate of a kind, whatever the number of keys. */
    static double rate(FilterKind kind) {
      return Math.scalb(1.0, -width(kind));
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
      if (count > MAX_SLOTS || slots > MAX_SLOTS) {
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
      return new Builder(kind, keys).build(request);
    }

    private FuseFilter build(FilterRequest request) throws FilterBuildException {
      long[] hashes = keys;
      long widened = 0;
      for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
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
      int bits = (int) Math.min(length, MAX_SEGMENT_BITS);
      double ratio =
          keys == 1
              ? 1.125
              : Math.max(1.125, 0.875 + 0.25 * Math.log(1_000_000) / Math.log((double) keys));
      long all = Math.ceilDiv(Math.round(keys * ratio), 1L << bits);
      return new Layout(attempt, bits, Math.max(1, all - (ARITY - 1)));
    }

    /** Tries once; false is certain when a key is there twice. */
    private boolean fallsApart(long[] hashes) {
      int slots = (int) layout.slots();
      edges = new long[slots];
      counts = new byte[slots];
      which = new byte[hashes.length];
      keys = new long[hashes.length];
      for (long hash : hashes) {
        long mixed = layout.mixed(hash);
        for (int slot : layout.places(mixed)) {
          edges[slot] ^= mixed;
          if (++counts[slot] == Byte.MAX_VALUE) {
            return false;
          }
        }
      }
      return peel() == hashes.length;
    }

    /** Takes keys away while a slot has only one; returns how many went. */
    private int peel() {
      int[] alone = new int[counts.length];
      int waiting = 0;
      for (int slot = 0; slot < counts.length; slot++) {
        alone[waiting] = slot;
        waiting += counts[slot] == 1 ? 1 : 0;
      }
      int removed = 0;
      while (waiting > 0) {
        int slot = alone[--waiting];
        if (counts[slot] == 1) {
          long mixed = edges[slot];
          int[] places = layout.places(mixed);
          for (int place = 0; place < places.length; place++) {
            int used = places[place];
            if (used == slot) {
              which[removed] = (byte) place;
            }
            counts[used]--;
            edges[used] ^= mixed;
            if (counts[used] == 1) {
              alone[waiting++] = used;
            }
          }
          keys[removed++] = mixed;
        }
      }
      return removed;
    }

    private FuseFilter filter(FilterRequest request, int count) {
      int slots = (int) layout.slots();
      short[] prints = new short[slots];
      for (int i = count - 1; i >= 0; i--) {
        long mixed = keys[i];
        int[] places = layout.places(mixed);
        // The key's own slot is still 0, so that all three can be combined without asking which.
        int value =
            Layout.fingerprint(mixed) ^ prints[places[0]] ^ prints[places[1]] ^ prints[places[2]];
        prints[places[which[i]]] = (short) value;
      }
      int width = width(kind);
      MemorySegment octets = MemorySegment.ofArray(new byte[slots * (width / Byte.SIZE)]);
      for (int i = 0; i < slots; i++) {
        if (kind == FilterKind.FUSE8) {
          octets.set(ValueLayout.JAVA_BYTE, i, (byte) prints[i]);
        } else {
          octets.set(SHORT, 2L * i, prints[i]);
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
              ARITY,
              request.rate(),
              count == 0 ? 0 : rate(kind),
              count == 0 ? 0 : count / (double) slots));
    }
  }
}
