package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The scalable counting filter in a file: the counters of its slices one after the other, and as
 * measures the capacity of the first slice, the removals that kept their hash, then counters and
 * tests of each slice.
 */
final class ScalableCountingCodec implements FilterCodec<ScalableCountingFilter> {

  private static final int MEASURE_FIRST = 0;
  private static final int MEASURE_KEPT = 1;
  private static final int TABLE = 2;
  private static final int ROW = 2;

  @Override
  public List<Long> write(ScalableCountingFilter filter, PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(filter.plan().first(), filter.kept()));
    for (CounterSlice slice : filter.parts()) {
      WordBody.write(out, slice.array().words());
      measures.add(slice.array().counters());
      measures.add((long) slice.array().hashes());
    }
    return measures;
  }

  @Override
  public ScalableCountingFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    SliceTable table = SliceTable.of(file, TABLE, ROW);
    SlicePlan plan = SliceTable.plan(file, MEASURE_FIRST);
    long octets = 0;
    for (int i = 0; i < table.slices(); i++) {
      if (!CountingCodec.possible(table.get(i, 0), table.get(i, 1))) {
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

  private static List<CounterSlice> slices(PagedFile file, SliceTable table, SlicePlan plan)
      throws IOException {
    SliceTable.Words words = new SliceTable.Words(WordBody.words(file));
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
}
