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
          ("a %s filter of capacity %d is full after %d entries, %d more were given: ask for a"
                  + " higher capacity, and give no key many times")
              .formatted(shape.kind().word(), shape.capacity(), shape.entries(), refused[0]));
    }
    return filter;
  }
}
