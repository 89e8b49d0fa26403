package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * The cuckoo filter in a file: its packed slots, and as measures the buckets, the width of a
 * fingerprint and the pairs that it covers.
 */
final class CuckooCodec implements FilterCodec<CuckooFilter> {

  /** What fits one array. */
  static final long MAX_WORDS = Integer.MAX_VALUE - 8L;

  private static final int MEASURE_BUCKETS = 0;
  private static final int MEASURE_WIDTH = 1;
  private static final int MEASURE_COVERED = 2;
  private static final int MEASURES = 3;

  @Override
  public List<Long> write(CuckooFilter filter, PagedFileWriter out) throws IOException {
    CuckooBuckets table = filter.table();
    WordBody.write(out, table.words());
    return List.of((long) table.buckets(), (long) table.width(), filter.covered());
  }

  @Override
  public CuckooFilter read(PagedFile file) throws IOException {
    FileHeader header = file.header();
    if (!possible(header, file.body().byteSize())) {
      throw impossible(file);
    }
    long[] words = WordBody.words(file);
    CuckooBuckets table =
        new CuckooBuckets(
            (int) header.measure(MEASURE_BUCKETS), (int) header.measure(MEASURE_WIDTH), words);
    if (table.countTaken() != header.entries()) {
      throw impossible(file);
    }
    return new CuckooFilter(
        table,
        header.capacity(),
        header.askedRate(),
        header.entries(),
        header.measure(MEASURE_COVERED));
  }

  private static boolean possible(FileHeader header, long octets) {
    if (header.measures().size() != MEASURES) {
      return false;
    }
    long buckets = header.measure(MEASURE_BUCKETS);
    long width = header.measure(MEASURE_WIDTH);
    long covered = header.measure(MEASURE_COVERED);
    return buckets > 0
        && buckets <= Integer.MAX_VALUE
        && buckets % 2 == 1
        && width >= CuckooBuckets.MIN_WIDTH
        && width <= CuckooBuckets.MAX_WIDTH
        && CuckooBuckets.words(buckets, (int) width) <= MAX_WORDS
        && octets == CuckooBuckets.words(buckets, (int) width) * Long.BYTES
        && header.capacity() >= 0
        && header.capacity() <= buckets * CuckooBuckets.SLOTS
        && header.askedRate() > 0
        && header.askedRate() < 1
        // A fingerprint covers one pair or two, and its pairs have room for four copies each.
        && covered <= 2 * header.entries()
        && covered >= header.entries() / CuckooBuckets.SLOTS;
  }

  private static DamagedFileException impossible(PagedFile file) {
    return new DamagedFileException(file.path(), "has a shape that no cuckoo filter has");
  }
}
