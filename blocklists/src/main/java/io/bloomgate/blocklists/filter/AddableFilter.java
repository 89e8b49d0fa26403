package io.bloomgate.blocklists.filter;

/**
 * A filter that takes further hashes after it was built. Used by one thread, or under its owner's
 * lock; sessions ask only filters that nobody changes any more.
 */
public sealed interface AddableFilter extends MembershipFilter
    permits ScalableFilter, RemovableFilter {

  /**
   * Puts a hash in.
   *
   * @return false when there is no room for it; then nothing has changed
   */
  boolean add(long hash);
}
