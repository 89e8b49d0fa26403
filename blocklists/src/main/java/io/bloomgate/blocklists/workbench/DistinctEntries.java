package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.kinds.FillEstimate;
import java.util.Optional;

/**
 * The number of distinct keys in a filter. A header counts additions: a key that was added twice,
 * or that two merged filters have in common, is counted twice. Where the fill shows that, it says
 * how many there are. Immutable.
 *
 * @param margin how far chance alone takes an estimate from the truth, at most; 0 for a count
 */
public record DistinctEntries(long count, boolean estimated, double margin) {

  static DistinctEntries of(LoadedFilter filter) {
    long counted = filter.shape().entries();
    Optional<FillEstimate> fill =
        FillEstimate.of(filter.filter()).filter(estimate -> estimate.isExceededBy(counted));
    return fill.map(
            estimate -> new DistinctEntries(Math.round(estimate.keys()), true, estimate.margin()))
        .orElse(new DistinctEntries(counted, false, 0));
  }

  /** The number in words for people. */
  public String words() {
    return (estimated ? "about " : "") + count + " entries";
  }
}
