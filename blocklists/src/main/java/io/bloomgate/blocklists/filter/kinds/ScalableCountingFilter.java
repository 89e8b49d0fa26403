package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A counting filter that grows: slices of counters as a {@link ScalableFilter} has slices of lines.
 * Used by one thread, or under its owner's lock, while it changes.
 *
 * <p>Which slice holds a hash is not known, only which slices claim it, and a claim may be a false
 * positive. To lower counters in a slice that claims it falsely would make it miss its own hashes.
 * So a removal happens only when one slice alone claims the hash: what was put in is claimed where
 * it is, so that slice is the one. When several do, the hash is kept, and counted as kept. A hash
 * is added where it is claimed already, which costs no rate, so that equal additions stay together;
 * otherwise to the first slice with room.
 *
 * <p>In a file: the counters of its slices one after the other, and as measures the capacity of the
 * first slice, the removals that kept their hash, then counters and tests of each slice.
 */
public final class ScalableCountingFilter implements RemovableFilter {

  private static final int MEASURE_FIRST = 0;
  private static final int MEASURE_KEPT = 1;
  private static final int TABLE = 2;
  private static final int ROW = 2;

  private final SlicePlan plan;
  private final List<CounterSlice> slices;
  private long entries;
  private long kept;

  /** An empty filter whose first slice is for this many hashes. */
  ScalableCountingFilter(long capacity, double askedRate) throws FilterBuildException {
    this.plan = SlicePlan.of(capacity, askedRate);
    this.slices = new ArrayList<>(List.of(CounterSlice.of(plan, 0)));
  }

  /** Takes the slices over; called by {@link #read}. */
  ScalableCountingFilter(SlicePlan plan, List<CounterSlice> slices, long entries, long kept) {
    this.plan = plan;
    this.slices = new ArrayList<>(slices);
    this.entries = entries;
    this.kept = kept;
  }

  @Override
  public int probe(long hash) {
    return claims(hash) == 0 ? 0 : 1;
  }

  /** Bit i is set when slice i claims the hash. */
  private int claims(long hash) {
    int claims = 0;
    for (int i = 0; i < slices.size(); i++) {
      claims |= slices.get(i).array().probe(hash) << i;
    }
    return claims;
  }

  /**
   * Puts a hash in.
   *
   * @return false when all of {@value SlicePlan#MAX_SLICES} slices are full, or memory holds no
   *     further one; then nothing has changed, and {@link #compacted} may make room
   */
  @Override
  public boolean add(long hash) {
    int claims = claims(hash);
    int slice = claims == 0 ? firstWithRoom() : Integer.numberOfTrailingZeros(claims);
    if (slice == slices.size() && !grow()) {
      return false;
    }
    slices.get(slice).array().add(hash);
    entries++;
    return true;
  }

  private int firstWithRoom() {
    int slice = 0;
    while (slice < slices.size() && !slices.get(slice).hasRoom()) {
      slice++;
    }
    return slice;
  }

  private boolean grow() {
    if (slices.size() == SlicePlan.MAX_SLICES) {
      return false;
    }
    try {
      return slices.add(CounterSlice.of(plan, slices.size()));
    } catch (FilterBuildException e) {
      return false;
    }
  }

  /**
   * Undoes one addition of a hash, when one slice alone claims it; {@link
   * RemovableFilter.Removal#KEPT} when several do, or when all its counters are at 15. One that was
   * never added must not be removed, as in a {@link CountingFilter}.
   */
  @Override
  public Removal remove(long hash) {
    int claims = claims(hash);
    Removal removal =
        switch (Integer.bitCount(claims)) {
          case 0 -> Removal.ABSENT;
          case 1 -> slices.get(Integer.numberOfTrailingZeros(claims)).array().remove(hash);
          default -> Removal.KEPT;
        };
    if (removal == Removal.REMOVED && entries > 0) {
      entries--;
    }
    kept += removal == Removal.KEPT ? 1 : 0;
    return removal;
  }

  @Override
  public boolean overflowed(long hash) {
    return slices.stream().anyMatch(slice -> slice.array().overflowed(hash));
  }

  /**
   * Removals so far that kept the hash: each leaves an addition inside that is no longer wanted.
   */
  public long kept() {
    return kept;
  }

  /**
   * The same hashes in one slice of their size, at the same asked rate, and nothing kept.
   *
   * @param hashes all that must be inside, as often as they count; a filter cannot list them
   * @throws FilterBuildException when no array or the heap can hold the slice
   */
  public ScalableCountingFilter compacted(HashSource hashes) throws FilterBuildException {
    return AddableFilter.fill(new ScalableCountingFilter(hashes.count(), plan.rate()), hashes);
  }

  /** Slices so far; a lookup reads the counters of each. */
  public int slices() {
    return slices.size();
  }

  @Override
  public double expectedRate() {
    double missed = 1;
    for (CounterSlice slice : slices) {
      missed *= 1 - slice.array().rate();
    }
    return 1 - missed;
  }

  @Override
  public FilterShape shape() {
    long counters = 0;
    long used = 0;
    int hashes = 0;
    for (CounterSlice slice : slices) {
      counters += slice.array().counters();
      used += slice.array().used();
      hashes += slice.array().hashes();
    }
    return new FilterShape(
        FilterKind.SCALABLE_COUNTING,
        entries,
        plan.total(slices.size()),
        counters * CounterArray.COUNTER_BITS,
        hashes,
        plan.rate(),
        expectedRate(),
        used / (double) counters);
  }

  SlicePlan plan() {
    return plan;
  }

  List<CounterSlice> parts() {
    return List.copyOf(slices);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(plan().first(), kept()));
    for (CounterSlice slice : parts()) {
      WordBody.write(out, slice.array().words());
      measures.add(slice.array().counters());
      measures.add((long) slice.array().hashes());
    }
    return measures;
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ScalableCountingFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    SlicePlan.Table table = SlicePlan.Table.of(file, TABLE, ROW);
    SlicePlan plan = SlicePlan.Table.plan(file, MEASURE_FIRST);
    long octets = 0;
    for (int i = 0; i < table.slices(); i++) {
      if (!CounterArray.possible(table.get(i, 0), table.get(i, 1))) {
        throw impossible(file);
      }
      octets += CounterArray.words(table.get(i, 0)) * Long.BYTES;
    }
    if (octets != file.body().byteSize()
        || header.entries() < 0
        || header.measure(MEASURE_KEPT) < 0) {
      throw impossible(file);
    }
    return new ScalableCountingFilter(
        plan, slices(file, table, plan), header.entries(), header.measure(MEASURE_KEPT));
  }

  private static List<CounterSlice> slices(PagedFile file, SlicePlan.Table table, SlicePlan plan)
      throws IOException {
    SlicePlan.Table.Words words = new SlicePlan.Table.Words(WordBody.words(file));
    List<CounterSlice> slices = new ArrayList<>();
    for (int i = 0; i < table.slices(); i++) {
      long counters = table.get(i, 0);
      CounterArray array =
          new CounterArray(
              words.next(CounterArray.words(counters)), counters, (int) table.get(i, 1));
      if (!array.endsClean()) {
        throw impossible(file);
      }
      slices.add(CounterSlice.of(array, plan.share(i)));
    }
    return slices;
  }

  private static DamagedFileException impossible(PagedFile file) {
    return new DamagedFileException(
        file.path(), "has a shape that no scalable counting filter has");
  }

  /**
   * One slice of a {@link ScalableCountingFilter}: counters, and how many of them may be in use. On
   * the filter's thread.
   *
   * @param maxUsed counters above zero at which the slice has come to its share of the rate
   */
  record CounterSlice(CounterArray array, long maxUsed) {

    /** Deviations of the hashes that bring counters to a rate: their places are spread evenly. */
    private static final int DEVIATIONS = 2;

    /**
     * An empty slice.
     *
     * @throws FilterBuildException when the heap or an array cannot hold it
     */
    static CounterSlice of(SlicePlan plan, int slice) throws FilterBuildException {
      double share = plan.share(slice);
      return of(
          CounterArray.of(ClassicSizing.byRate(plan.padded(slice, DEVIATIONS), share)), share);
    }

    /** A slice that may come to that share of the rate. */
    static CounterSlice of(CounterArray array, double share) {
      return new CounterSlice(
          array, (long) (array.counters() * Math.pow(share, 1.0 / array.hashes())));
    }

    /** True when a further hash cannot bring it beyond its share. */
    boolean hasRoom() {
      return array.used() + array.hashes() <= maxUsed;
    }
  }
}
