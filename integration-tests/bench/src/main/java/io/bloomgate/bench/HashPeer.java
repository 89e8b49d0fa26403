package io.bloomgate.bench;

/** A set of 64-bit hashes under test; made by {@link HashPeers}. */
@FunctionalInterface
interface HashPeer {

  /** True when the hash is, or may be, inside. */
  boolean contains(long hash);

  /** Memory outside the heap. */
  default long octetsOffHeap() {
    return 0;
  }
}
