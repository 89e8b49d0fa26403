package io.bloomgate.blocklists.filter.kinds;

import io.bloomgate.blocklists.file.PagedFileWriter;
import io.bloomgate.blocklists.filter.AddableFilter;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.SplitBlockFilter;
import io.bloomgate.blocklists.filter.SplitBlockFilterBuilder;
import java.io.IOException;
import java.util.List;

/**
 * A split-block filter that takes further keys, up to those that it is made for. Used by one
 * thread.
 */
final class OpenSplitBlock implements AddableFilter {

  private final SplitBlockFilterBuilder builder;
  private SplitBlockFilter now;
  private long entries;
  private final long capacity;

  /** A filter with the bits of another one. */
  OpenSplitBlock(SplitBlockFilter filter) {
    this.builder = new SplitBlockFilterBuilder(FilterKinds.size(filter));
    builder.or(filter);
    this.entries = filter.shape().entries();
    this.capacity = filter.shape().capacity();
    this.now = builder.build(entries);
  }

  @Override
  public int probe(long hash) {
    return now.probe(hash);
  }

  /**
   * Puts a hash in; one that hits already needs no bits and is not counted.
   *
   * @return false when as many are inside as it is made for; then nothing has changed
   */
  @Override
  public boolean add(long hash) {
    if (probe(hash) == 0) {
      if (entries >= capacity) {
        return false;
      }
      // The filter has the array of its builder.
      builder.set(hash);
      entries++;
    }
    return true;
  }

  @Override
  public FilterShape shape() {
    now = builder.build(entries);
    return now.shape();
  }

  @Override
  public List<Long> write(PagedFileWriter out) throws IOException {
    return builder.build(entries).write(out);
  }
}
