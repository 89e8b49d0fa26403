package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A cascade in a file: for each level a row of six words (span, entries, capacity, asked rate,
 * expected rate, set bits), then the words of the levels in their order. Measures: the number of
 * levels, the known-good hashes that are proven and those that are listed.
 */
final class CascadeCodec implements FilterCodec<CascadeFilter> {

  private static final int MEASURE_LEVELS = 0;
  private static final int MEASURE_PROVEN = 1;
  private static final int MEASURE_LISTED = 2;
  private static final int ROW_OCTETS = 6 * Long.BYTES;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  @Override
  public List<Long> write(CascadeFilter filter, PagedFileWriter out) throws IOException {
    for (int i = 0; i < filter.levels(); i++) {
      writeRow(filter.level(i), out);
    }
    for (int i = 0; i < filter.levels(); i++) {
      SplitBlockFilter level = filter.level(i);
      for (int w = 0; w < level.words(); w++) {
        out.putLong(level.word(w));
      }
    }
    return List.of((long) filter.levels(), filter.proven(), filter.listed());
  }

  private static void writeRow(SplitBlockFilter level, PagedFileWriter out) throws IOException {
    FilterShape shape = level.shape();
    long setBits = 0;
    for (int i = 0; i < level.words(); i++) {
      setBits += Long.bitCount(level.word(i));
    }
    out.putLong(level.span());
    out.putLong(shape.entries());
    out.putLong(shape.capacity());
    out.putLong(Double.doubleToRawLongBits(shape.askedRate()));
    out.putLong(Double.doubleToRawLongBits(shape.expectedRate()));
    out.putLong(setBits);
  }

  @Override
  public CascadeFilter read(PagedFile file) throws IOException {
    file.verify();
    FileHeader header = file.header();
    long count = header.measure(MEASURE_LEVELS);
    long proven = header.measure(MEASURE_PROVEN);
    long listed = header.measure(MEASURE_LISTED);
    if (count < 1
        || count > CascadeFilter.MAX_LEVELS
        || proven < 0
        || listed < 0
        || file.body().byteSize() < count * ROW_OCTETS) {
      throw unlike(file);
    }
    List<SplitBlockFilter> levels = new ArrayList<>();
    long at = count * ROW_OCTETS;
    for (int i = 0; i < count; i++) {
      SplitBlockFilter level = readLevel(file, (long) i * ROW_OCTETS, at);
      levels.add(level);
      at += (long) level.words() * Long.BYTES;
    }
    CascadeFilter cascade = new CascadeFilter(levels, header.askedRate(), proven, listed);
    if (at != file.body().byteSize()
        || cascade.shape().entries() != header.entries()
        || cascade.shape().capacity() != header.capacity()
        || Double.compare(cascade.shape().expectedRate(), header.expectedRate()) != 0) {
      throw unlike(file);
    }
    return cascade;
  }

  private static SplitBlockFilter readLevel(PagedFile file, long row, long at)
      throws DamagedFileException {
    MemorySegment body = file.body();
    long span = body.get(WORD, row);
    long lines = Math.ceilDiv(span, SplitBlockFilter.LANES);
    long setBits = body.get(WORD, row + 5 * Long.BYTES);
    if (span < 1
        || lines > SplitBlockFilter.MAX_LINES
        || lines * SplitBlockFilter.LINE_OCTETS > body.byteSize() - at
        || setBits < 0
        || setBits > lines * SplitBlockFilter.LINE_OCTETS * 8) {
      throw unlike(file);
    }
    long[] words = SplitBlockFilter.array(lines);
    int count = (int) lines * SplitBlockFilter.LANES;
    MemorySegment.copy(body, WORD, at, words, SplitBlockFilter.FRONT, count);
    long bits = (long) count * Long.SIZE;
    return new SplitBlockFilter(
        words,
        span,
        new FilterShape(
            FilterKind.SPLIT_BLOCK,
            body.get(WORD, row + Long.BYTES),
            body.get(WORD, row + 2 * Long.BYTES),
            bits,
            SplitBlockFilter.LANES,
            Double.longBitsToDouble(body.get(WORD, row + 3 * Long.BYTES)),
            Double.longBitsToDouble(body.get(WORD, row + 4 * Long.BYTES)),
            setBits / (double) bits));
  }

  private static DamagedFileException unlike(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no cascade has");
  }
}
