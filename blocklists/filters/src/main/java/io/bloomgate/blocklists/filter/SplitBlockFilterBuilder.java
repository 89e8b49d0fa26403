package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.Longs;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills a split-block filter. Used by one thread, which {@link #addAll} has helped by others;
 * worthless after {@link #build}.
 *
 * <p>The number of entries is counted by the caller, since a filter cannot distinguish a new hash
 * from an old one.
 *
 * <p>A large filter does not fit a cache, and to set bits all over it costs every hash a miss of
 * the cache and of the TLB. Its hashes are therefore collected and put in by bursts that walk
 * through the filter; a small filter takes them at once.
 */
public final class SplitBlockFilterBuilder {

  /** A filter up to this size stays in a cache of its core; no sorting pays for it. */
  private static final long CACHED_OCTETS = 2L << 20;

  /**
   * A burst of 64 Mi hashes takes 1 GiB, about 1 octet a key at a billion keys. Larger bursts meet
   * a line of the filter more often while the cache holds it.
   */
  private static final int MAX_BURST = 64 << 20;

  /** Bursts until a filter is full: enough of a burst for each line, with 2 octets a key. */
  private static final int BURSTS = 8;

  private final FilterSizing.Size size;
  private final long[] words;
  private final @Nullable HashBuffer buffer;

  /** An empty filter of that size. */
  public SplitBlockFilterBuilder(FilterSizing.Size size) {
    this.size = size;
    this.words = SplitBlockFilter.array(size.lines());
    long burst = Math.min(MAX_BURST, size.capacity() / BURSTS);
    this.buffer =
        size.octets() > CACHED_OCTETS && burst > 0
            ? new HashBuffer((int) burst, size.octets(), this::setAll)
            : null;
  }

  private void set(long hash) {
    set(words, lineOf(hash), hash);
  }

  /** Puts a hash in. */
  public void add(long hash) {
    if (buffer == null) {
      set(hash);
    } else {
      buffer.add(hash);
    }
  }

  /**
   * Puts in all hashes of some parts, of each on its own thread.
   *
   * @param parts as {@link HashSource#parts} gives them: what two of them have in common is the
   *     line at most in which one ends and the next begins
   */
  public void addAll(List<HashSource> parts) {
    if (parts.size() == 1) {
      parts.getFirst().forEach(this::add);
      return;
    }
    List<Longs> first = parts.parallelStream().map(this::addBehindFirstLine).toList();
    first.forEach(hashes -> hashes.forEach(this::set));
  }

  /** Puts in the hashes of a part; gives back those of its first line, where another part ends. */
  private Longs addBehindFirstLine(HashSource part) {
    Longs first = new Longs();
    part.forEach(hash -> {
      if (first.size() == 0 || lineOf(hash) == lineOf(first.get(0))) {
        first.add(hash);
      } else {
        set(hash);
      }
    });
    return first;
  }

  private void setAll(long[] hashes, int count) {
    for (int i = 0; i < count; i++) {
      set(words, lineOf(hashes[i]), hashes[i]);
    }
  }

  private int lineOf(long hash) {
    return SplitBlockFilter.FRONT + SplitBlockFilter.firstWord(hash, size.span());
  }

  /** Sets the bits of a hash in the line that begins with this word. */
  public static void set(long[] w, int at, long hash) {
    w[at] |= bit(hash * SplitBlockFilter.SALT_0);
    w[at + 1] |= bit(hash * SplitBlockFilter.SALT_1);
    w[at + 2] |= bit(hash * SplitBlockFilter.SALT_2);
    w[at + 3] |= bit(hash * SplitBlockFilter.SALT_3);
    w[at + 4] |= bit(hash * SplitBlockFilter.SALT_4);
    w[at + 5] |= bit(hash * SplitBlockFilter.SALT_5);
    w[at + 6] |= bit(hash * SplitBlockFilter.SALT_6);
    w[at + 7] |= bit(hash * SplitBlockFilter.SALT_7);
  }

  private static long bit(long product) {
    return 1L << (product >>> SplitBlockFilter.LANE_SHIFT);
  }

  /**
   * The filter.
   *
   * @param entries distinct hashes that were put in
   */
  public SplitBlockFilter build(long entries) {
    if (buffer != null) {
      buffer.flush();
    }
    MemorySegment lines =
        MemorySegment.ofArray(words).asSlice((long) SplitBlockFilter.FRONT * Long.BYTES);
    return new SplitBlockFilter(words, size.span(), shape(size, lines, entries));
  }

  /** The measures of a filter of these lines. */
  public static FilterShape shape(FilterSizing.Size size, MemorySegment lines, long entries) {
    long set = 0;
    double rate = 0;
    long count = lines.byteSize() / Long.BYTES;
    for (long line = 0; line < count; line += SplitBlockFilter.LANES) {
      // A random hash falls on a line as often as the span has words of it, and tests a bit of each
      // of its lanes, independently.
      double hit = Math.min(SplitBlockFilter.LANES, size.span() - line) / (double) size.span();
      for (long lane = line; lane < line + SplitBlockFilter.LANES; lane++) {
        int ones = Long.bitCount(lines.get(WordBody.WORD, lane * Long.BYTES));
        set += ones;
        hit *= ones / (double) SplitBlockFilter.LANE_BITS;
      }
      rate += hit;
    }
    long bits = count * Long.SIZE;
    return new FilterShape(
        FilterKind.SPLIT_BLOCK,
        entries,
        size.capacity(),
        bits,
        SplitBlockFilter.LANES,
        size.askedRate(),
        rate,
        set / (double) bits);
  }
}
