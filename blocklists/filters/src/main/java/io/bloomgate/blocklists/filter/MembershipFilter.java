package io.bloomgate.blocklists.filter;

import io.bloomgate.blocklists.file.PagedFileWriter;
import java.io.IOException;
import java.util.List;

/**
 * A set of hashes that may answer yes for one that was never put in, and never answers no for one
 * that was. Asked by sessions on any thread; immutable, but for an {@link AddableFilter} while its
 * owner still changes it.
 */
public interface MembershipFilter {

  /**
   * 1 when the hash may be inside, 0 when it is certainly not. No branch depends on the answer (but
   * a cascade's, after a hit of its first level), so the memory reads of several probes overlap
   * when they are combined before the first is tested.
   */
  int probe(long hash);

  /** True when the hash may be inside, false when it is certainly not. */
  default boolean mightContain(long hash) {
    return probe(hash) != 0;
  }

  /**
   * Probes all hashes of one message. Nothing branches on an answer before all first reads are
   * issued, so these overlap.
   *
   * @param count of the first hashes that are asked; at most 64
   * @return bit i is set when hash i may be inside
   */
  default long probeAll(long[] hashes, int count) {
    long hits = 0;
    for (int i = 0; i < count; i++) {
      hits |= (long) probe(hashes[i]) << i;
    }
    return hits;
  }

  /** Ratio of false positives to be expected of random hashes, computed from the bits set. */
  default double expectedRate() {
    return shape().expectedRate();
  }

  /** The measures. */
  FilterShape shape();

  /**
   * Writes the filter as the body of a file.
   *
   * @return the measures that the header keeps, in the kind's own order
   */
  List<Long> write(PagedFileWriter out) throws IOException;
}
