package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.MembershipFilter;
import java.util.List;

/**
 * The measures of a slice of a filter that grows, or of the counters of one that counts, as {@code
 * filter inspect} shows them. Immutable.
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
public record FilterPart(
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
  public static List<FilterPart> of(MembershipFilter filter) {
    return switch (filter) {
      case CountingFilter counting ->
          List.of(of(counting.array(), counting.shape().capacity(), counting.shape().askedRate()));
      case SlicedFilter<?> sliced -> sliced.parts();
      default -> List.of();
    };
  }

  /** Counters as a part. */
  static FilterPart of(CounterArray array, long capacity, double share) {
    double fill = array.used() / (double) array.counters();
    return new FilterPart(
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
