package io.bloomgate.blocklists.filter;

/**
 * Builds a filter of any kind from hashes: the one entry for commands, snapshots and benchmarks.
 * Called on the thread that needs the filter; keeps nothing.
 */
public final class FilterFactory {

  private FilterFactory() {}

  /**
   * Builds a filter.
   *
   * @throws FilterBuildException when the kind cannot be built as asked
   */
  public static MembershipFilter build(FilterKind kind, FilterRequest request, HashSource hashes)
      throws FilterBuildException {
    return switch (kind) {
      case SPLIT_BLOCK -> splitBlock(request, hashes);
      case CLASSIC, COUNTING, SCALABLE, SCALABLE_COUNTING, FUSE8, FUSE16, CUCKOO, CASCADE ->
          throw new UnsupportedOperationException(kind.word());
    };
  }

  private static MembershipFilter splitBlock(FilterRequest request, HashSource hashes) {
    SplitBlockFilterBuilder builder =
        new SplitBlockFilterBuilder(FilterSizing.splitBlock(request.capacity(), request.rate()));
    hashes.forEach(builder::add);
    return builder.build(request.capacity());
  }
}
