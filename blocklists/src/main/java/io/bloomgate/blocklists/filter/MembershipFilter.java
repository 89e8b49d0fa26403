package io.bloomgate.blocklists.filter;

/**
 * A set of hashes that may answer yes for one that was never put in, and never answers no for one
 * that was. Asked by sessions on any thread; immutable, but for an {@link AddableFilter} while its
 * owner still changes it.
 */
public sealed interface MembershipFilter permits SplitBlockFilter, AddableFilter {

  /**
   * 1 when the hash may be inside, 0 when it is certainly not. No branch depends on the answer, so
   * the memory reads of several probes overlap when they are combined before the first is tested.
   */
  int probe(long hash);

  /** True when the hash may be inside, false when it is certainly not. */
  default boolean mightContain(long hash) {
    return probe(hash) != 0;
  }

  /** Ratio of false positives to be expected of random hashes, computed from the bits set. */
  default double expectedRate() {
    return shape().expectedRate();
  }

  /** The measures. */
  FilterShape shape();
}
