package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.RemovableFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A counting filter that grows: slices of counters as a {@link ScalableFilter} has slices of lines.
 *
 * <p>Which slice holds a hash is not known, only which slices claim it, and a claim may be a false
 * positive. To lower counters in a slice that claims it falsely would make it miss its own hashes.
 * So a removal happens only when one slice alone claims the hash: what was put in is claimed where
 * it is, so that slice is the one. When several do, the hash is kept, and counted as kept. A hash
 * is added where it is claimed already, which costs no rate, so that equal additions stay together;
 * otherwise to the first slice with room.
 *
 * <p>In a file, the own measure is the removals that kept their hash, and the row of a slice has
 * its counters and tests.
 */
public final class ScalableCountingFilter extends SlicedFilter<CounterArray>
    implements RemovableFilter {

  private static final int MEASURE_KEPT = 1;
  static final int TABLE = 2;
  static final int ROW = 2;

  /** Deviations of the hashes that bring counters to a rate: their places are spread evenly. */
  static final int DEVIATIONS = 2;

  private long kept;

  /** An empty filter whose first slice is for this many hashes. */
  ScalableCountingFilter(long capacity, double askedRate) throws FilterBuildException {
    this(SlicedFilter.Plan.of(capacity, askedRate));
  }

  private ScalableCountingFilter(SlicedFilter.Plan plan) throws FilterBuildException {
    this(plan, List.of(slice(plan, 0)), 0, 0);
  }

  static CounterArray slice(SlicedFilter.Plan plan, int slice) throws FilterBuildException {
    return CounterArray.of(ClassicSizing.byRate(plan.padded(slice, DEVIATIONS), plan.share(slice)));
  }

  /** Takes the slices over; called by {@link #read}. */
  ScalableCountingFilter(
      SlicedFilter.Plan plan, List<CounterArray> slices, long entries, long kept) {
    super(plan, slices, entries);
    this.kept = kept;
  }

  /** Bit i is set when slice i claims the hash. */
  private int claims(long hash) {
    int claims = 0;
    for (int i = 0; i < slices.size(); i++) {
      claims |= slices.get(i).probe(hash) << i;
    }
    return claims;
  }

  /**
   * Puts a hash in.
   *
   * @return false when all of {@value SlicedFilter.Plan#MAX_SLICES} slices are full, or memory
   *     holds no further one; then nothing has changed
   */
  @Override
  public boolean add(long hash) {
    int claims = claims(hash);
    int slice = claims == 0 ? firstWithRoom() : Integer.numberOfTrailingZeros(claims);
    if (slice == slices.size() && !grow()) {
      return false;
    }
    slices.get(slice).add(hash);
    entries++;
    return true;
  }

  private int firstWithRoom() {
    int slice = 0;
    while (slice < slices.size() && !hasRoom(slice)) {
      slice++;
    }
    return slice;
  }

  /** True when a further hash cannot bring a slice beyond its share. */
  private boolean hasRoom(int slice) {
    CounterArray array = slices.get(slice);
    long most = (long) (array.counters() * Math.pow(plan.share(slice), 1.0 / array.hashes()));
    return array.used() + array.hashes() <= most;
  }

  private boolean grow() {
    try {
      return slices.size() < SlicedFilter.Plan.MAX_SLICES && slices.add(slice(plan, slices.size()));
    } catch (FilterBuildException e) {
      return false;
    }
  }

  /**
   * Undoes one addition of a hash, when one slice alone claims it; {@link
   * RemovableFilter.Removal#KEPT} when several do, or when all its counters are at 15. One that was
   * never added must not be removed, as in a counting filter.
   */
  @Override
  public Removal remove(long hash) {
    int claims = claims(hash);
    Removal removal =
        switch (Integer.bitCount(claims)) {
          case 0 -> Removal.ABSENT;
          case 1 -> slices.get(Integer.numberOfTrailingZeros(claims)).remove(hash);
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
    return slices.stream().anyMatch(slice -> slice.overflowed(hash));
  }

  /**
   * Removals so far that kept the hash: each leaves an addition inside that is no longer wanted.
   */
  public long kept() {
    return kept;
  }

  @Override
  FilterKind kind() {
    return FilterKind.SCALABLE_COUNTING;
  }

  @Override
  int probe(CounterArray slice, long hash) {
    return slice.probe(hash);
  }

  @Override
  FillEstimate.Part part(CounterArray slice, long capacity, double share) {
    return FillEstimate.Part.of(slice, capacity, share);
  }

  @Override
  List<Long> ownMeasures() {
    return List.of(kept);
  }

  @Override
  List<Long> write(CounterArray slice, PagedFileWriter out) throws IOException {
    WordBody.write(out, MemorySegment.ofArray(slice.words()));
    return List.of(slice.counters(), (long) slice.hashes());
  }

  /** The rows of a file whose slices fill its body. */
  static List<List<Long>> rows(PagedFile file) throws IOException {
    List<List<Long>> rows = rows(file, TABLE, ROW);
    long octets = 0;
    for (List<Long> row : rows) {
      FilterFile.check(file, CounterArray.possible(row.getFirst(), row.getLast()));
      octets += CounterArray.words(row.getFirst()) * Long.BYTES;
    }
    FilterFile.check(
        file, octets == file.body().byteSize() && file.header().measure(MEASURE_KEPT) >= 0);
    return rows;
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ScalableCountingFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    List<List<Long>> rows = rows(file);
    SlicedFilter.Plan plan = plan(file);
    long[] words = WordBody.words(file);
    List<CounterArray> slices = new ArrayList<>();
    int at = 0;
    for (List<Long> row : rows) {
      int end = at + (int) CounterArray.words(row.getFirst());
      CounterArray array =
          new CounterArray(
              Arrays.copyOfRange(words, at, end), row.getFirst(), row.getLast().intValue());
      FilterFile.check(file, array.endsClean());
      slices.add(array);
      at = end;
    }
    return new ScalableCountingFilter(plan, slices, header.entries(), header.measure(MEASURE_KEPT));
  }
}
