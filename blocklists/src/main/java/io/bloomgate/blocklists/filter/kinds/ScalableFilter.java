package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Scalable Bloom filter (Almeida, Baquero, Preguica and Hutchison, 2007): grows by a slice of twice
 * the size when the last one has come to its share of the rate, so that the asked rate holds
 * whatever it grows to; see {@link SlicePlan}. Slices are split-block lines: a lookup reads one
 * line of each. Used by one thread, or under its owner's lock, while it changes.
 *
 * <p>A hash that hits already, be it an equal one or a false positive, is counted as an entry but
 * needs no bits: so equal hashes make it no larger. Since many hashes may share a bit, nothing can
 * be removed.
 *
 * <p>In a file: the words of its slices one after the other, and as measures the capacity of the
 * first slice, then the span of each.
 */
public final class ScalableFilter implements AddableFilter {

  private static final int MEASURE_FIRST = 0;
  private static final int TABLE = 1;
  private static final int ROW = 1;

  private final SlicePlan plan;
  private final List<LineSlice> slices;
  private long entries;

  /** An empty filter whose first slice is for this many hashes. */
  ScalableFilter(long capacity, double askedRate) throws FilterBuildException {
    this.plan = SlicePlan.of(capacity, askedRate);
    this.slices = new ArrayList<>(List.of(LineSlice.of(plan, 0)));
  }

  /** Takes the slices over; called by {@link #read}. */
  ScalableFilter(SlicePlan plan, List<LineSlice> slices, long entries) {
    this.plan = plan;
    this.slices = new ArrayList<>(slices);
    this.entries = entries;
  }

  @Override
  public int probe(long hash) {
    int found = 0;
    for (int i = 0; i < slices.size(); i++) {
      found |= slices.get(i).probe(hash);
    }
    return found;
  }

  /**
   * Puts a hash in.
   *
   * @return false when the last of {@value SlicePlan#MAX_SLICES} slices is full, or memory holds no
   *     further one; then nothing has changed, and {@link #compacted} makes room
   */
  @Override
  public boolean add(long hash) {
    int last = slices.size() - 1;
    boolean inside = probe(hash) != 0 || slices.get(last).add(hash, plan.share(last)) || grow(hash);
    entries += inside ? 1 : 0;
    return inside;
  }

  private boolean grow(long hash) {
    int next = slices.size();
    if (next == SlicePlan.MAX_SLICES) {
      return false;
    }
    try {
      LineSlice slice = LineSlice.of(plan, next);
      slices.add(slice);
      return slice.add(hash, plan.share(next));
    } catch (FilterBuildException e) {
      return false;
    }
  }

  /**
   * The same hashes in one slice of their size, at the same asked rate.
   *
   * @param hashes all that must be inside; a filter cannot list them itself
   * @throws FilterBuildException when no array or the heap can hold the slice
   */
  public ScalableFilter compacted(HashSource hashes) throws FilterBuildException {
    return AddableFilter.fill(new ScalableFilter(hashes.count(), plan.rate()), hashes);
  }

  /** Slices so far; a lookup reads a line of each. */
  public int slices() {
    return slices.size();
  }

  @Override
  public double expectedRate() {
    double missed = 1;
    for (LineSlice slice : slices) {
      missed *= 1 - slice.rate();
    }
    return 1 - missed;
  }

  @Override
  public FilterShape shape() {
    long bits = 0;
    long set = 0;
    for (LineSlice slice : slices) {
      bits += (long) slice.words().length * Long.SIZE;
      set += slice.setBits();
    }
    return new FilterShape(
        FilterKind.SCALABLE,
        entries,
        plan.total(slices.size()),
        bits,
        slices.size() * SplitBlockFilter.LANES,
        plan.rate(),
        expectedRate(),
        set / (double) bits);
  }

  SlicePlan plan() {
    return plan;
  }

  List<LineSlice> parts() {
    return List.copyOf(slices);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(plan().first()));
    for (LineSlice slice : parts()) {
      WordBody.write(out, slice.words());
      measures.add(slice.span());
    }
    return measures;
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ScalableFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    SlicePlan.Table table = SlicePlan.Table.of(file, TABLE, ROW);
    SlicePlan plan = SlicePlan.Table.plan(file, MEASURE_FIRST);
    long octets = 0;
    for (int i = 0; i < table.slices(); i++) {
      if (table.get(i, 0) < 1
          || table.get(i, 0) > SplitBlockFilter.MAX_LINES * SplitBlockFilter.LANES) {
        throw impossible(file);
      }
      octets += words(table.get(i, 0)) * Long.BYTES;
    }
    if (octets != file.body().byteSize() || header.entries() < 0) {
      throw impossible(file);
    }
    SlicePlan.Table.Words words = new SlicePlan.Table.Words(WordBody.words(file));
    List<LineSlice> slices = new ArrayList<>();
    for (int i = 0; i < table.slices(); i++) {
      long span = table.get(i, 0);
      slices.add(new LineSlice(words.next(words(span)), span));
    }
    return new ScalableFilter(plan, slices, header.entries());
  }

  private static long words(long span) {
    return Math.ceilDiv(span, SplitBlockFilter.LANES) * SplitBlockFilter.LANES;
  }

  private static DamagedFileException impossible(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no scalable filter has");
  }
}
