package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.ScalableCountingFilter.CounterSlice;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A slice of a filter that grows, or the counters of one that counts, as {@code filter inspect}
 * shows them. Immutable.
 *
 * @param capacity distinct hashes for which it is made
 * @param share rate that it may come to
 */
public record FilterPart(SlicedFilter.Slice slice, long capacity, double share) {

  /** The parts in their order; none for a kind that has none. */
  public static List<FilterPart> of(MembershipFilter filter) {
    return switch (filter) {
      case CountingFilter counting ->
          List.of(
              new FilterPart(
                  of(counting), counting.shape().capacity(), counting.shape().askedRate()));
      case SlicedFilter<?> sliced ->
          IntStream.range(0, sliced.slices())
              .mapToObj(i ->
                  new FilterPart(
                      sliced.slices.get(i), sliced.plan.capacity(i), sliced.plan.share(i)))
              .toList();
      default -> List.of();
    };
  }

  static SlicedFilter.Slice of(CountingFilter counting) {
    return CounterSlice.of(counting.array(), counting.shape().askedRate());
  }

  /** True when its places count. */
  public boolean counts() {
    return slice instanceof CounterSlice;
  }
}
