package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import java.util.List;
import java.util.Optional;

/**
 * The number of distinct hashes in a filter, estimated by how full it is: each sets places at
 * random, so the share of empty places says how many there were (Whang, Vander-Zanden and Taylor,
 * "A Linear-Time Probabilistic Counting Algorithm", 1990; Swamidass and Baldi, 2007, for Bloom
 * filters). Immutable.
 *
 * @param keys the estimate; infinite when every place is full
 * @param deviation standard deviation, at most
 */
public record FillEstimate(double keys, double deviation) {

  /** Halvings of an interval of numbers of hashes. */
  private static final int STEPS = 100;

  /** More hashes than this fill any filter. */
  private static final double MOST = 0x1p50;

  /** Chance alone goes beyond this many deviations once in 16,000 times. */
  private static final int DEVIATIONS = 4;

  /** The estimate, for the kinds whose fill shows it. */
  public static Optional<FillEstimate> of(MembershipFilter filter) {
    return switch (FilterKinds.open(filter)) {
      case Lines lines -> Optional.of(ofLines(lines.shape().fill(), lines.span()));
      case ClassicFilter classic ->
          Optional.of(
              ofPlaces(classic.shape().fill(), classic.shape().bits(), classic.shape().hashes()));
      case CountingFilter counting -> Optional.of(Part.of(counting).getFirst().estimate());
      case SlicedFilter<?> sliced ->
          Optional.of(sum(sliced.parts().stream().map(Part::estimate).toList()));
      default -> Optional.empty();
    };
  }

  /** True when this number of distinct hashes would have made the filter fuller than it is. */
  public boolean isExceededBy(long hashes) {
    return hashes - keys > Math.max(1, margin());
  }

  /** The distance that chance alone can bring between the estimate and the truth, at most. */
  public double margin() {
    return DEVIATIONS * deviation;
  }

  /** Hashes are in one slice each, so their numbers add up. */
  private static FillEstimate sum(Iterable<FillEstimate> slices) {
    double keys = 0;
    double variance = 0;
    for (FillEstimate slice : slices) {
      keys += slice.keys;
      variance += slice.deviation * slice.deviation;
    }
    return new FillEstimate(keys, Math.sqrt(variance));
  }

  /** Each hash sets as many places anywhere as there are tests. */
  static FillEstimate ofPlaces(double fill, long places, int hashes) {
    double load = -Math.log1p(-fill);
    return new FillEstimate(load * places / hashes, deviation(load, (double) places) / hashes);
  }

  private static double deviation(double load, double places) {
    return Math.sqrt(places * (Math.expm1(load) - load));
  }

  /**
   * Each hash sets one bit in every lane of one line. The last line is hit less often when the span
   * ends inside it, so the number is searched for.
   */
  static FillEstimate ofLines(double fill, long span) {
    if (fill >= 1) {
      return new FillEstimate(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double low = 0;
    double high = MOST;
    for (int i = 0; i < STEPS; i++) {
      double middle = (low + high) / 2;
      if (lineFill(middle, span) < fill) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double places = (double) Math.ceilDiv(span, SplitBlockFilter.LANES) * Long.SIZE;
    return new FillEstimate(high, deviation(high / places, places));
  }

  private static double lineFill(double keys, long span) {
    long lines = Math.ceilDiv(span, SplitBlockFilter.LANES);
    double whole = Math.min(1, SplitBlockFilter.LANES / (double) span);
    double last = 1 - (lines - 1) * whole;
    return ((lines - 1) * laneFill(keys, whole) + laneFill(keys, last)) / lines;
  }

  /** Expected fill of a lane on which a hash falls with that probability. */
  private static double laneFill(double keys, double probability) {
    return -Math.expm1(keys * Math.log1p(-probability / Long.SIZE));
  }

  /**
   * The measures of a slice of a filter that grows, or of the counters of one that counts, as
   * {@code filter inspect} shows them. Immutable.
   *
   * @param capacity distinct hashes for which it is made
   * @param share rate that it may come to
   * @param counts true when its places count
   * @param places bits, or counters
   * @param hashes places of a hash
   * @param used places above zero
   * @param overflowed counters at 15, which stay there
   * @param rate ratio of random hashes that hit it now
   * @param estimate the distinct hashes inside
   */
  public record Part(
      long capacity,
      double share,
      boolean counts,
      long places,
      int hashes,
      long used,
      long overflowed,
      double rate,
      FillEstimate estimate) {

    /** The parts in their order; none for a kind that has none. */
    public static List<Part> of(MembershipFilter filter) {
      return switch (filter) {
        case CountingFilter counting ->
            List.of(
                of(counting.array(), counting.shape().capacity(), counting.shape().askedRate()));
        case SlicedFilter<?> sliced -> sliced.parts();
        default -> List.of();
      };
    }

    /** Counters as a part. */
    static Part of(CounterArray array, long capacity, double share) {
      double fill = array.used() / (double) array.counters();
      return new Part(
          capacity,
          share,
          true,
          array.counters(),
          array.hashes(),
          array.used(),
          array.overflowed(),
          array.rate(),
          FillEstimate.ofPlaces(fill, array.counters(), array.hashes()));
    }

    /** Its memory. */
    long bits() {
      return counts ? places * CounterArray.COUNTER_BITS : places;
    }
  }
}
