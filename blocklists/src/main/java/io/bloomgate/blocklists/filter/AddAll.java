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
    Refusals refused = new Refusals();
    hashes.forEach(hash -> {
      if (!filter.add(hash)) {
        refused.count++;
      }
    });
    if (refused.count > 0) {
      FilterShape shape = filter.shape();
      throw new FilterBuildException(
          "a "
              + shape.kind().word()
              + " filter of capacity "
              + shape.capacity()
              + " is full after "
              + shape.entries()
              + " entries, "
              + refused.count
              + " found no room: ask for a higher capacity, and tell no key many times");
    }
    return filter;
  }

  private static final class Refusals {
    private long count;
  }
}
