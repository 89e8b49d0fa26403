package io.bloomgate.blocklists.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fills a split-block filter. Used by one thread, or by several through {@link #fillers}; worthless
 * after {@link #build}.
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

  /** Parts of a filter that threads lock: few bursts meet in one of many. */
  private static final int STRIPES = 64;

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

  /** Puts a hash in at once, for those who ask the filter between two of them. */
  public void set(long hash) {
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
   * Buffers through which several threads fill this filter at once, one each, from parts of a
   * stream in any order; the builder's own {@link #add} is not called beside them. Each gives its
   * last burst by {@link Filler#close}, before {@link #build} is called.
   *
   * @param count of threads; their bursts together are as large as the one of a single thread
   */
  public List<Filler> fillers(int count) {
    ReentrantLock[] stripes = new ReentrantLock[STRIPES];
    Arrays.setAll(stripes, i -> new ReentrantLock());
    long burst = Math.clamp(size.capacity() / BURSTS / count, 1, MAX_BURST / count);
    List<Filler> fillers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      fillers.add(new Filler(stripes, (int) burst));
    }
    return fillers;
  }

  /**
   * One thread's way in. A burst walks through the filter from front to back, and holds the lock of
   * the stripe that it is in; two bursts at once are in different stripes but for moments.
   */
  public final class Filler implements AutoCloseable {
    private final ReentrantLock[] stripes;
    private final HashBuffer burst;
    private final long stripeWords;

    private Filler(ReentrantLock[] stripes, int length) {
      this.stripes = stripes;
      this.burst = new HashBuffer(length, size.octets(), this::setAll);
      this.stripeWords = Math.ceilDiv(size.lines(), (long) STRIPES) * SplitBlockFilter.LANES;
    }

    /** Puts a hash in. */
    public void add(long hash) {
      burst.add(hash);
    }

    private void setAll(long[] hashes, int count) {
      int i = 0;
      while (i < count) {
        int stripe = stripe(hashes[i]);
        long end = (stripe + 1) * stripeWords;
        long begin = stripe * stripeWords;
        stripes[stripe].lock();
        try {
          int word = SplitBlockFilter.firstWord(hashes[i], size.span());
          while (word >= begin && word < end) {
            set(words, SplitBlockFilter.FRONT + word, hashes[i]);
            i++;
            word = i < count ? SplitBlockFilter.firstWord(hashes[i], size.span()) : -1;
          }
        } finally {
          stripes[stripe].unlock();
        }
      }
    }

    private int stripe(long hash) {
      return (int) (SplitBlockFilter.firstWord(hash, size.span()) / stripeWords);
    }

    /** Puts in what was collected. */
    @Override
    public void close() {
      burst.flush();
    }
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

  /** Puts in what another filter of the same size holds. */
  public void or(SplitBlockFilter filter) {
    for (int i = 0; i < filter.words(); i++) {
      words[SplitBlockFilter.FRONT + i] |= filter.word(i);
    }
  }

  /** Keeps what another filter of the same size holds too. */
  public void and(SplitBlockFilter filter) {
    for (int i = 0; i < filter.words(); i++) {
      words[SplitBlockFilter.FRONT + i] &= filter.word(i);
    }
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
    return new SplitBlockFilter(words, size.span(), shape(entries));
  }

  private FilterShape shape(long entries) {
    long set = 0;
    double rate = 0;
    int count = words.length - SplitBlockFilter.FRONT;
    for (int line = 0; line < count; line += SplitBlockFilter.LANES) {
      // A random hash falls on a line as often as the span has words of it, and tests a bit of each
      // of its lanes, independently.
      double hit = Math.min(SplitBlockFilter.LANES, size.span() - line) / (double) size.span();
      for (int lane = 0; lane < SplitBlockFilter.LANES; lane++) {
        int ones = Long.bitCount(words[SplitBlockFilter.FRONT + line + lane]);
        set += ones;
        hit *= ones / (double) SplitBlockFilter.LANE_BITS;
      }
      rate += hit;
    }
    long bits = (long) count * Long.SIZE;
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
