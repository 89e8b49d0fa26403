package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.WordBody;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Scalable Bloom filter (Almeida, Baquero, Preguica and Hutchison, 2007): slices are split-block
 * lines, each of twice the size of the one before.
 *
 * <p>A hash that hits already, be it an equal one or a false positive, is counted as an entry but
 * needs no bits: so equal hashes make it no larger. Since many hashes may share a bit, nothing can
 * be removed. In a file, the row of a slice is its span.
 */
public final class ScalableFilter extends SlicedFilter<Lines> {

  private static final int TABLE = 1;

  /** An empty filter whose first slice is for this many hashes. */
  ScalableFilter(long capacity, double askedRate) throws FilterBuildException {
    this(SlicedFilter.Plan.of(capacity, askedRate));
  }

  private ScalableFilter(SlicedFilter.Plan plan) throws FilterBuildException {
    this(plan, List.of(slice(plan, 0)), 0);
  }

  static Lines slice(SlicedFilter.Plan plan, int slice) throws FilterBuildException {
    return Lines.empty(
        FilterSizing.splitBlock(plan.padded(slice, Lines.DEVIATIONS), plan.share(slice)));
  }

  /** Takes the slices over; called by {@link #read}. */
  ScalableFilter(SlicedFilter.Plan plan, List<Lines> slices, long entries) {
    super(plan, slices, entries);
  }

  /**
   * Puts a hash in.
   *
   * @return false when the last of {@value SlicedFilter.Plan#MAX_SLICES} slices is full, or memory
   *     holds no further one; then nothing has changed
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
    if (next == SlicedFilter.Plan.MAX_SLICES) {
      return false;
    }
    try {
      Lines slice = slice(plan, next);
      slices.add(slice);
      return slice.add(hash, plan.share(next));
    } catch (FilterBuildException e) {
      return false;
    }
  }

  @Override
  FilterKind kind() {
    return FilterKind.SCALABLE;
  }

  @Override
  int probe(Lines slice, long hash) {
    return slice.probe(hash);
  }

  @Override
  FillEstimate.Part part(Lines slice, long capacity, double share) {
    return slice.part(capacity, share);
  }

  @Override
  List<Long> ownMeasures() {
    return List.of();
  }

  @Override
  List<Long> write(Lines slice, PagedFileWriter out) throws IOException {
    slice.write(out);
    return List.of(slice.span());
  }

  /** Reads what {@link #write} wrote; every page is proven. */
  static ScalableFilter read(PagedFile file, boolean mapped) throws IOException {
    List<List<Long>> rows = rows(file, TABLE, 1);
    long octets = 0;
    for (List<Long> row : rows) {
      long span = row.getFirst();
      FilterFile.check(
          file, span >= 1 && span <= SplitBlockFilter.MAX_LINES * SplitBlockFilter.LANES);
      octets += Lines.octets(span);
    }
    SlicedFilter.Plan plan = plan(file);
    FilterFile.check(file, octets == file.body().byteSize());
    MemorySegment words = WordBody.body(file, mapped);
    List<Lines> slices = new ArrayList<>();
    long at = 0;
    for (List<Long> row : rows) {
      FilterSizing.Size size = Lines.size(row.getFirst());
      slices.add(new Lines(words.asSlice(at, size.octets()), size, 0));
      at += size.octets();
    }
    return new ScalableFilter(plan, slices, file.header().entries());
  }
}
