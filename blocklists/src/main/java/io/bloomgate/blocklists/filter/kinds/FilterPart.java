package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.CounterArray;
import io.bloomgate.blocklists.filter.CountingFilter;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * A slice of a filter that grows, or the counters of one that counts, as {@code filter inspect}
 * shows them. Immutable.
 *
 * @param capacity distinct hashes for which it is made
 * @param places bits, or counters
 * @param counters true when its places count
 * @param hashes places of a hash
 * @param used places above zero
 * @param overflowed counters at 15, which stay there
 * @param share rate that it may come to
 * @param rate ratio of random hashes that hit it now
 * @param estimate of the distinct hashes inside
 */
public record FilterPart(
    long capacity,
    long places,
    boolean counters,
    int hashes,
    long used,
    long overflowed,
    double share,
    double rate,
    FillEstimate estimate) {

  /** The parts in their order; none for a kind that has none. */
  public static List<FilterPart> of(MembershipFilter filter) {
    List<FilterPart> parts = new ArrayList<>();
    switch (filter) {
      case CountingFilter counting ->
          parts.add(
              of(counting.array(), counting.shape().capacity(), counting.shape().askedRate()));
      case ScalableFilter scalable -> {
        for (LineSlice slice : scalable.parts()) {
          parts.add(of(slice, scalable.plan(), parts.size()));
        }
      }
      case ScalableCountingFilter scalable -> {
        for (ScalableCountingFilter.CounterSlice slice : scalable.parts()) {
          int number = parts.size();
          parts.add(
              of(slice.array(), scalable.plan().capacity(number), scalable.plan().share(number)));
        }
      }
      default -> {}
    }
    return parts;
  }

  private static FilterPart of(CounterArray array, long capacity, double share) {
    return new FilterPart(
        capacity,
        array.counters(),
        true,
        array.hashes(),
        array.used(),
        array.overflowed(),
        share,
        array.rate(),
        FillEstimate.of(array));
  }

  private static FilterPart of(LineSlice slice, SlicePlan plan, int number) {
    return new FilterPart(
        plan.capacity(number),
        (long) slice.words().length * Long.SIZE,
        false,
        SplitBlockFilter.LANES,
        slice.setBits(),
        0,
        plan.share(number),
        slice.rate(),
        FillEstimate.of(slice));
  }

  /** Ratio of places above zero. */
  public double fill() {
    return used / (double) places;
  }
}
