package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.DamagedFileException;
import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.filter.FilterBuildException;
import java.util.Arrays;
import java.util.List;

/**
 * The plan by which a filter grows in slices: each holds twice what the one before holds, and has
 * its share of the asked rate. A hash hits when it hits in any slice, so the rate is at most the
 * sum of the slices' rates (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom Filters",
 * 2007, section 3). Immutable.
 *
 * <p>The shares are 1/2, 1/6, 1/12, 1/20 and so on, 1 / ((i + 1) (i + 2)); their sum is s / (s + 1)
 * after s slices and always below 1. The paper's geometric shares must choose: with a ratio of 0.5
 * the twentieth slice gets a millionth and costs 20 bits a key more, with 0.8 the first, which is
 * the only one of most filters, gets a fifth and costs 3 bits a key more. These start like 0.5 and
 * end at 1/420.
 *
 * @param first distinct hashes for which the first slice is made
 * @param rate asked of all slices together
 */
record SlicePlan(long first, double rate) {

  /** Slices that a filter may have: a million times the first one. */
  static final int MAX_SLICES = 20;

  /** The least capacity of a first slice, so that a filter that starts small can become large. */
  static final long MIN_FIRST = 64;

  /** More than any array holds at any rate; doubled twenty times it is still a number. */
  static final long MAX_FIRST = 1L << 40;

  /**
   * The least rate of a slice, far below what any kind is asked for; the shares of such a rate are
   * still numbers.
   */
  private static final double LOWEST_RATE = 1e-12;

  /** A plan for a filter that is made for this many hashes. */
  static SlicePlan of(long capacity, double rate) throws FilterBuildException {
    if (capacity > MAX_FIRST) {
      throw new FilterBuildException(
          "a filter for "
              + capacity
              + " entries is larger than 16 GiB, the most that one array"
              + " holds; make several filters");
    }
    return new SlicePlan(Math.max(capacity, MIN_FIRST), rate);
  }

  /** The rate that a slice may come to. */
  double share(int slice) {
    return rate / ((slice + 1.0) * (slice + 2.0));
  }

  /** Distinct hashes for which a slice is made. */
  long capacity(int slice) {
    return first << slice;
  }

  /** Distinct hashes for which a number of slices is made. */
  long total(int slices) {
    return first * ((1L << slices) - 1);
  }

  /**
   * The capacity for which a slice must be sized, so that it comes to its share not before its
   * capacity.
   *
   * @param deviations by which chance is met; the number of hashes that bring a slice to its share
   *     varies as its square root
   */
  long padded(int slice, int deviations) {
    return capacity(slice) + (long) (deviations * Math.sqrt((double) capacity(slice)));
  }

  /**
   * The table of slices among the measures of a file: behind a few measures of the whole filter a
   * row for each slice. Used by the kinds that grow. Immutable.
   */
  static final class Table {

    private final List<Long> measures;
    private final int start;
    private final int row;

    private Table(List<Long> measures, int start, int row) {
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
    static Table of(PagedFile file, int start, int row) throws DamagedFileException {
      Table table = new Table(file.header().measures(), start, row);
      int slices = table.slices();
      if (slices < 1
          || slices > SlicePlan.MAX_SLICES
          || table.measures.size() != start + slices * row) {
        throw new DamagedFileException(file.path(), "has an impossible number of slices");
      }
      return table;
    }

    /**
     * Reads the plan that the slices follow, with the capacity of the first from a measure of the
     * whole filter.
     */
    static SlicePlan plan(PagedFile file, int firstMeasure) throws DamagedFileException {
      FileHeader header = file.header();
      long first = header.measure(firstMeasure);
      if (first < 1
          || first > SlicePlan.MAX_FIRST
          || !(header.askedRate() >= LOWEST_RATE && header.askedRate() < 1)) {
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
}
