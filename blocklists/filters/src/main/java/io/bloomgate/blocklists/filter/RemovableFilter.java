package io.bloomgate.blocklists.filter;

/**
 * A filter from which hashes can be taken out again. Only a hash that was put in may be taken out:
 * to remove one that merely hits by chance would take bits from others.
 */
public interface RemovableFilter extends AddableFilter {

  /** The outcome of a removal. */
  enum Removal {
    /** One of its additions is undone. */
    REMOVED,
    /** The hash was certainly never put in. */
    ABSENT,
    /**
     * The hash stays, because nothing shows which part of the filter holds it or how often; it may
     * hit on as a false positive, and no other hash suffers.
     */
    KEPT
  }

  /** Undoes one addition of a hash. */
  Removal remove(long hash);

  /** True when a counter of the hash overflowed: it stays, however often the hash is removed. */
  default boolean overflowed(long hash) {
    return false;
  }
}
