package io.bloomgate.blocklists.filter;

/** Fills a filter that takes additions. Used by {@link FilterFactory}; stateless. */
final class AddAll {

  private AddAll() {}

  /**
   * Puts every hash in, one told twice twice.
   *
   * @return the filter
   * @throws FilterBuildException when it is full before the last one
   */
  static <F extends AddableFilter> F to(F filter, HashSource hashes) throws FilterBuildException {
    long[] refused = {0};
    hashes.forEach(hash -> {
      if (refused[0] > 0 || !filter.add(hash)) {
        refused[0]++;
      }
    });
    if (refused[0] > 0) {
      FilterShape shape = filter.shape();
      throw new FilterBuildException(
          "a "
              + shape.kind().word()
              + " filter of capacity "
              + shape.capacity()
              + " is full after "
              + shape.entries()
              + " entries, "
              + refused[0]
              + " more were told: ask for a higher capacity, and tell no key many times");
    }
    return filter;
  }

  /** How many hashes a source tells. */
  static long count(HashSource hashes) {
    long[] told = {0};
    hashes.forEach(_ -> told[0]++);
    return told[0];
  }
}
