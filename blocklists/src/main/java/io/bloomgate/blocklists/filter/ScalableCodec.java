package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The scalable filter in a file: the words of its slices one after the other, and as measures the
 * capacity of the first slice, then the span of each.
 */
final class ScalableCodec implements FilterCodec<ScalableFilter> {

  private static final int MEASURE_FIRST = 0;
  private static final int TABLE = 1;
  private static final int ROW = 1;

  @Override
  public List<Long> write(ScalableFilter filter, PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(filter.plan().first()));
    for (LineSlice slice : filter.parts()) {
      WordBody.write(out, slice.words());
      measures.add(slice.span());
    }
    return measures;
  }

  @Override
  public ScalableFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    SliceTable table = SliceTable.of(file, TABLE, ROW);
    SlicePlan plan = SliceTable.plan(file, MEASURE_FIRST);
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
    SliceTable.Words words = new SliceTable.Words(WordBody.words(file));
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
