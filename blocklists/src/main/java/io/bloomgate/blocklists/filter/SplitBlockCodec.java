package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * The split-block filter in a file: its words, and as measures the set bits, the lanes and, from
 * version 2 on, the span. A filter of version 1 addresses all its words.
 */
final class SplitBlockCodec implements FilterCodec<SplitBlockFilter> {

  private static final int MEASURE_SET_BITS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_SPAN = 2;
  private static final int FIRST_VERSION_WITH_SPAN = 2;

  @Override
  public List<Long> write(SplitBlockFilter filter, PagedFileWriter out) throws IOException {
    long setBits = 0;
    for (int i = 0; i < filter.words(); i++) {
      setBits += Long.bitCount(filter.word(i));
      out.putLong(filter.word(i));
    }
    return List.of(setBits, (long) filter.shape().hashes(), filter.span());
  }

  @Override
  public SplitBlockFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    long span =
        header.version() < FIRST_VERSION_WITH_SPAN
            ? octets / Long.BYTES
            : header.measure(MEASURE_SPAN);
    if (octets == 0
        || octets % SplitBlockFilter.LINE_OCTETS != 0
        || octets / SplitBlockFilter.LINE_OCTETS > SplitBlockFilter.MAX_LINES
        || Math.ceilDiv(span, SplitBlockFilter.LANES) != octets / SplitBlockFilter.LINE_OCTETS
        || header.measure(MEASURE_HASHES) != SplitBlockFilter.LANES) {
      throw new DamagedFileException(file.path(), "has a shape that no split-block filter has");
    }
    return new SplitBlockFilter(
        WordBody.words(file, SplitBlockFilter.FRONT),
        span,
        new FilterShape(
            FilterKind.SPLIT_BLOCK,
            header.entries(),
            header.capacity(),
            octets * 8,
            SplitBlockFilter.LANES,
            header.askedRate(),
            header.expectedRate(),
            header.measure(MEASURE_SET_BITS) / (octets * 8.0)));
  }
}
