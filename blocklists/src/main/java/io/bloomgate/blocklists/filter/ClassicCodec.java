package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * The classic filter in a file: its words, and as measures the set bits, the tests and the bits.
 */
final class ClassicCodec implements FilterCodec<ClassicFilter> {

  private static final int MEASURE_SET_BITS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_BITS = 2;

  @Override
  public List<Long> write(ClassicFilter filter, PagedFileWriter out) throws IOException {
    long setBits = 0;
    for (int i = 0; i < filter.words(); i++) {
      setBits += Long.bitCount(filter.word(i));
      out.putLong(filter.word(i));
    }
    return List.of(setBits, (long) filter.shape().hashes(), filter.shape().bits());
  }

  @Override
  public ClassicFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long octets = file.body().byteSize();
    long bits = header.measure(MEASURE_BITS);
    long hashes = header.measure(MEASURE_HASHES);
    if (bits < 1
        || bits > ClassicSizing.MAX_BITS
        || octets != Math.ceilDiv(bits, Long.SIZE) * Long.BYTES
        || hashes < 1
        || hashes > ClassicSizing.MAX_HASHES) {
      throw new DamagedFileException(file.path(), "has a shape that no classic filter has");
    }
    return new ClassicFilter(
        WordBody.words(file),
        new FilterShape(
            FilterKind.CLASSIC,
            header.entries(),
            header.capacity(),
            bits,
            (int) hashes,
            header.askedRate(),
            header.expectedRate(),
            header.measure(MEASURE_SET_BITS) / (double) bits));
  }
}
