package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.FileHeader;
import io.bloomgate.blocklists.file.PagedFile;
import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A filter that grows by a slice when the last one has come to its share of the rate, so that the
 * asked rate holds whatever it grows to; see {@link Plan}. Used by one thread, or under its owner's
 * lock, while it changes.
 *
 * <p>In a file: the words of its slices one after the other, and as measures the capacity of the
 * first slice, what the kind has besides, then a row for each slice.
 *
 * @param <S> its slices
 */
public abstract sealed class SlicedFilter<S> implements AddableFilter
    permits ScalableFilter, ScalableCountingFilter {

  private static final int MEASURE_FIRST = 0;

  final Plan plan;
  final List<S> slices;
  long entries;

  SlicedFilter(Plan plan, List<S> slices, long entries) {
    this.plan = plan;
    this.slices = new ArrayList<>(slices);
    this.entries = entries;
  }

  abstract FilterKind kind();

  /** 1 when a slice may hold the hash, else 0. */
  abstract int probe(S slice, long hash);

  /** The measures of a slice. */
  abstract FillEstimate.Part part(S slice, long capacity, double share);

  /** The measures between the capacity of the first slice and the rows of all. */
  abstract List<Long> ownMeasures();

  /** Appends the words of a slice; returns its row of measures. */
  abstract List<Long> write(S slice, PagedFileWriter out) throws IOException;

  @Override
  public int probe(long hash) {
    int found = 0;
    for (int i = 0; i < slices.size(); i++) {
      found |= probe(slices.get(i), hash);
    }
    return found;
  }

  /** Slices so far; a lookup reads each. */
  public int slices() {
    return slices.size();
  }

  /** The measures of all slices. */
  List<FillEstimate.Part> parts() {
    return IntStream.range(0, slices.size())
        .mapToObj(i -> part(slices.get(i), plan.capacity(i), plan.share(i)))
        .toList();
  }

  @Override
  public FilterShape shape() {
    List<FillEstimate.Part> parts = parts();
    double missed = 1;
    for (FillEstimate.Part part : parts) {
      missed *= 1 - part.rate();
    }
    long places = parts.stream().mapToLong(FillEstimate.Part::places).sum();
    return new FilterShape(
        kind(),
        entries,
        plan.total(slices.size()),
        parts.stream().mapToLong(FillEstimate.Part::bits).sum(),
        parts.stream().mapToInt(FillEstimate.Part::hashes).sum(),
        plan.rate(),
        1 - missed,
        parts.stream().mapToLong(FillEstimate.Part::used).sum() / (double) places);
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    List<Long> measures = new ArrayList<>(List.of(plan.first()));
    measures.addAll(ownMeasures());
    for (S slice : slices) {
      measures.addAll(write(slice, out));
    }
    return measures;
  }

  /** The plan and the rows of a file, proven to be possible; bodies are not. */
  static List<List<Long>> rows(PagedFile file, int before, int columns) throws IOException {
    List<Long> measures = file.header().measures();
    int count = (measures.size() - before) / columns;
    FilterFile.check(
        file,
        count >= 1 && count <= Plan.MAX_SLICES && measures.size() == before + count * columns);
    List<List<Long>> rows = new ArrayList<>();
    for (int at = before; at < measures.size(); at += columns) {
      rows.add(measures.subList(at, at + columns));
    }
    return rows;
  }

  /** The plan that the slices of a file follow. */
  static Plan plan(PagedFile file) throws IOException {
    FileHeader header = file.header();
    long first = header.measure(MEASURE_FIRST);
    FilterFile.check(
        file,
        first >= 1
            && first <= Plan.MAX_FIRST
            && header.askedRate() >= Plan.LOWEST_RATE
            && header.askedRate() < 1);
    return new Plan(first, header.askedRate());
  }

  /**
   * The plan by which a filter grows in slices: each holds twice what the one before holds, and has
   * its share of the asked rate. A hash hits when it hits in any slice, so the rate is at most the
   * sum of the slices' rates (Almeida, Baquero, Preguica and Hutchison, "Scalable Bloom Filters",
   * 2007, section 3). Immutable.
   *
   * <p>The shares are 1/2, 1/6, 1/12, 1/20 and so on, 1 / ((i + 1) (i + 2)); their sum is s / (s +
   * 1) after s slices and always below 1. The paper's geometric shares must choose: with a ratio of
   * 0.5 the twentieth slice gets a millionth and costs 20 bits a key more, with 0.8 the first,
   * which is the only one of most filters, gets a fifth and costs 3 bits a key more. These start
   * like 0.5 and end at 1/420.
   *
   * @param first distinct hashes for which the first slice is made
   * @param rate asked of all slices together
   */
  record Plan(long first, double rate) {

    /** Slices that a filter may have: a million times the first one. */
    static final int MAX_SLICES = 20;

    /** The least capacity of a first slice, so that a filter that starts small can become large. */
    static final long MIN_FIRST = 64;

    /** More than any array holds at any rate; doubled twenty times it is still a number. */
    static final long MAX_FIRST = 1L << 40;

    /**
     * The least rate of a slice, far below what any kind is asked for; the shares of such a rate
     * are still numbers.
     */
    static final double LOWEST_RATE = 1e-12;

    /** A plan for a filter that is made for this many hashes. */
    static Plan of(long capacity, double rate) throws FilterBuildException {
      if (capacity > MAX_FIRST) {
        throw new FilterBuildException(
            "a filter for "
                + capacity
                + " entries is larger than 16 GiB, the most that one array"
                + " holds; make several filters");
      }
      return new Plan(Math.max(capacity, MIN_FIRST), rate);
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
     * @param deviations by which chance is met; the number of hashes that bring a slice to its
     *     share varies as its square root
     */
    long padded(int slice, int deviations) {
      return capacity(slice) + (long) (deviations * Math.sqrt((double) capacity(slice)));
    }
  }
}
