package io.bloomgate.blocklists.filter;

/**
 * A filter that takes further hashes after it was built. Used by one thread, or under its owner's
 * lock; sessions ask only filters that nobody changes any more.
 */
public interface AddableFilter extends MembershipFilter {

  /**
   * Puts a hash in.
   *
   * @return false when there is no room for it; then nothing has changed
   */
  boolean add(long hash);

  /**
   * Puts every hash in; one that is given twice, twice.
   *
   * @return the filter
   * @throws FilterBuildException when it is full before the last one
   */
  static <F extends AddableFilter> F fill(F filter, HashSource hashes) throws FilterBuildException {
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
              + " more were given: ask for a higher capacity, and give no key many times");
    }
    return filter;
  }
}
