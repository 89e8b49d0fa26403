package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * The counting filter in a file: its counters, and as measures their number, the tests and how many
 * are above zero.
 */
final class CountingCodec implements FilterCodec<CountingFilter> {

  private static final int MEASURE_COUNTERS = 0;
  private static final int MEASURE_HASHES = 1;
  private static final int MEASURE_USED = 2;
  private static final int MEASURES = 3;

  @Override
  public List<Long> write(CountingFilter filter, PagedFileWriter out) throws IOException {
    CounterArray array = filter.array();
    WordBody.write(out, array.words());
    return List.of(array.counters(), (long) array.hashes(), array.used());
  }

  @Override
  public CountingFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    if (!possible(header, file.body().byteSize())) {
      throw impossible(file);
    }
    CounterArray array =
        new CounterArray(
            WordBody.words(file),
            header.measure(MEASURE_COUNTERS),
            (int) header.measure(MEASURE_HASHES));
    if (array.used() != header.measure(MEASURE_USED) || !array.endsClean()) {
      throw impossible(file);
    }
    return new CountingFilter(array, header.capacity(), header.askedRate(), header.entries());
  }

  private static boolean possible(FileHeader header, long octets) {
    return header.measures().size() == MEASURES
        && possible(header.measure(MEASURE_COUNTERS), header.measure(MEASURE_HASHES))
        && octets == CounterArray.words(header.measure(MEASURE_COUNTERS)) * Long.BYTES
        && header.entries() >= 0
        && header.capacity() >= 0
        && header.askedRate() > 0
        && header.askedRate() < 1;
  }

  /** True for measures that an array of counters can have. */
  static boolean possible(long counters, long hashes) {
    return counters > 0
        && counters <= CounterArray.MAX_COUNTERS
        && hashes > 0
        && hashes <= ClassicSizing.MAX_HASHES;
  }

  private static DamagedFileException impossible(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no counting filter has");
  }
}
