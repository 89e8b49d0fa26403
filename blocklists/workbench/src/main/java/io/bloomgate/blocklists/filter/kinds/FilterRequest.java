package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.filter.FilterSizing;
import io.bloomgate.blocklists.filter.HashSource;

/**
 * The properties that a filter is asked to have. Immutable.
 *
 * @param capacity distinct hashes that it is made for; at least those that are put in
 * @param rate ratio of false positives, between 0 and 1, that must hold at capacity
 * @param knownGood hashes that must never hit; {@link HashSource#NONE} but for a cascade
 */
public record FilterRequest(long capacity, double rate, HashSource knownGood) {

  public FilterRequest {
    if (capacity < 0) {
      throw new IllegalArgumentException("a capacity is not negative");
    }
    FilterSizing.checkRate(rate);
  }

  /** A request without known-good hashes. */
  public FilterRequest(long capacity, double rate) {
    this(capacity, rate, HashSource.NONE);
  }
}
