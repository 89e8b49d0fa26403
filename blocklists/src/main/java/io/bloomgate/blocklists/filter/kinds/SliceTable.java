package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import java.util.Arrays;
import java.util.List;

/**
 * The table of slices among the measures of a file: behind a few measures of the whole filter a row
 * for each slice. Used by the codecs of the kinds that grow. Immutable.
 */
final class SliceTable {

  private final List<Long> measures;
  private final int start;
  private final int row;

  private SliceTable(List<Long> measures, int start, int row) {
    this.measures = measures;
    this.start = start;
    this.row = row;
  }

  /**
   * The table of a file.
   *
   * @param start measures before it
   * @param row measures of a slice
   * @throws DamagedFileException when the measures are not as many as some number of slices has
   */
  static SliceTable of(PagedFile file, int start, int row) throws DamagedFileException {
    SliceTable table = new SliceTable(file.header().measures(), start, row);
    int slices = table.slices();
    if (slices < 1
        || slices > SlicePlan.MAX_SLICES
        || table.measures.size() != start + slices * row) {
      throw new DamagedFileException(file.path(), "has an impossible number of slices");
    }
    return table;
  }

  /** What the slices follow, with the capacity of the first from a measure of the whole filter. */
  static SlicePlan plan(PagedFile file, int firstMeasure) throws DamagedFileException {
    FileHeader header = file.header();
    long first = header.measure(firstMeasure);
    if (first < 1
        || first > SlicePlan.MAX_FIRST
        || !(header.askedRate() > 0 && header.askedRate() < 1)) {
      throw new DamagedFileException(file.path(), "has an impossible plan of slices");
    }
    return new SlicePlan(first, header.askedRate());
  }

  int slices() {
    return (measures.size() - start) / row;
  }

  long get(int slice, int column) {
    return measures.get(start + slice * row + column);
  }

  /** Deals the words of a body to its slices. On one thread. */
  static final class Words {
    private final long[] all;
    private int at;

    Words(long[] all) {
      this.all = all;
    }

    /** The next slice's words. */
    long[] next(long count) {
      at += (int) count;
      return Arrays.copyOfRange(all, at - (int) count, at);
    }
  }
}
