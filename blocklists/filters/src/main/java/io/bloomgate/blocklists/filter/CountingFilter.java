package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Counting Bloom filter (Fan, Cao, Almeida and Broder, "Summary Cache", 2000): a counter where a
 * classic filter has a bit, so that hashes can be taken out again, for four times its memory. Used
 * by one thread, or under its owner's lock, while it changes.
 *
 * <p>It counts: a hash that was added twice must be removed twice. Counters that reach 15 stay
 * there, so what was added is never missed; see {@link CounterArray}.
 *
 * <p>In a file: its counters, and as measures their number, the tests and how many are above zero.
 */
public final class CountingFilter implements RemovableFilter {

  private static final int MEASURE_COUNTERS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_USED = 2;
  private static final int MEASURES = 3;

  /** Deviations above the mean: chance fills a filter before its capacity once in 10^9 times. */
  private static final double DEVIATIONS = 6;

  private final CounterArray array;
  private final long capacity;
  private final double askedRate;
  private final double maxUsed;
  private long entries;

  /** An empty filter for this many hashes. */
  public CountingFilter(long capacity, double askedRate) throws FilterBuildException {
    this(CounterArray.of(ClassicSizing.byRate(capacity, askedRate)), capacity, askedRate, 0);
  }

  /** Takes the counters over; called by {@link #read}. */
  CountingFilter(CounterArray array, long capacity, double askedRate, long entries) {
    this.array = array;
    this.capacity = capacity;
    this.askedRate = askedRate;
    this.entries = entries;
    this.maxUsed = maxUsed(array, capacity);
  }

  /** Counters that as many hashes as the capacity leave above zero, whatever chance does. */
  private static double maxUsed(CounterArray array, long capacity) {
    double load = capacity * (double) array.hashes() / array.counters();
    double free = Math.exp(-load);
    double variance = array.counters() * (free - (1 + load) * free * free);
    return array.counters() * (1 - free) + DEVIATIONS * Math.sqrt(variance) + array.hashes();
  }

  @Override
  public int probe(long hash) {
    return array.probe(hash);
  }

  /**
   * Puts a hash in.
   *
   * @return false when as many counters are in use as the capacity of distinct hashes can explain,
   *     and the hash needs a further one; then nothing has changed
   */
  @Override
  public boolean add(long hash) {
    if (array.used() >= maxUsed && array.probe(hash) == 0) {
      return false;
    }
    array.add(hash);
    entries++;
    return true;
  }

  /**
   * Undoes one addition of a hash; {@link RemovableFilter.Removal#KEPT} when all its counters are
   * at 15. One that was never added must not be removed: when it hits by chance, counters of others
   * go down, and one of those is missed when its counter reaches zero.
   */
  @Override
  public Removal remove(long hash) {
    Removal removal = array.remove(hash);
    if (removal == Removal.REMOVED && entries > 0) {
      entries--;
    }
    return removal;
  }

  /**
   * Adds this filter and another of as many counters and tests; the sum is made for the smaller
   * capacity and the higher rate of the two.
   */
  public CountingFilter plus(CountingFilter other) {
    return new CountingFilter(
        array.plus(other.array),
        Math.min(capacity, other.capacity),
        Math.max(askedRate, other.askedRate),
        entries + other.entries);
  }

  @Override
  public double expectedRate() {
    return array.rate();
  }

  @Override
  public FilterShape shape() {
    return new FilterShape(
        FilterKind.COUNTING,
        entries,
        capacity,
        array.counters() * CounterArray.COUNTER_BITS,
        array.hashes(),
        askedRate,
        array.rate(),
        array.used() / (double) array.counters());
  }

  @Override
  public boolean overflowed(long hash) {
    return array.overflowed(hash);
  }

  /** The counters; who changes them changes the filter. */
  public CounterArray array() {
    return array;
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    WordBody.write(out, MemorySegment.ofArray(array.words()));
    return List.of(array.counters(), (long) array.hashes(), array.used());
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static CountingFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    check(file);
    CounterArray array =
        new CounterArray(
            WordBody.words(file),
            header.measure(MEASURE_COUNTERS),
            (int) header.measure(MEASURE_HASHES));
    FilterFile.check(file, array.used() == header.measure(MEASURE_USED) && array.endsClean());
    return new CountingFilter(array, header.capacity(), header.askedRate(), header.entries());
  }

  /** Refuses a file whose measures are those of no such filter. */
  public static void check(PagedFile file) throws DamagedFileException {
    FileHeader header = file.header();
    FilterFile.check(
        file,
        header.measures().size() == MEASURES
            && CounterArray.possible(
                header.measure(MEASURE_COUNTERS), header.measure(MEASURE_HASHES))
            && file.body().byteSize()
                == CounterArray.words(header.measure(MEASURE_COUNTERS)) * Long.BYTES
            && header.askedRate() > 0
            && header.askedRate() < 1);
  }
}
