package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.FilterHashes;
import io.bloomgate.config.name.IpAddress;

/**
 * Walks a sorted tree of networks and gives what a filter must hold of them, each key once. Used
 * while a filter is built, on one thread.
 */
final class FilterKeyWalk {

  private final NetworkTree tree;
  private final EntryReader entries;
  private final boolean v4;

  FilterKeyWalk(NetworkTree tree, EntryReader entries, boolean isV4) {
    this.tree = tree;
    this.entries = entries;
    this.v4 = isV4;
  }

  void run(FilterKeys keys) {
    Pivots narrow = new Pivots(v4 ? FilterHashes.V4_PIVOT : FilterHashes.V6_NARROW_PIVOT);
    Pivots wide = new Pivots(FilterHashes.V6_WIDE_PIVOT);
    for (int node = 0; node < tree.count(); node++) {
      int length = tree.length(node);
      // Exceptions list nothing, so the filter need not hit for them.
      if (!entries.lists(tree.value(node, entries))) {
        continue;
      }
      int pivot = FilterHashes.pivot(v4, length);
      if (pivot == narrow.length) {
        narrow.give(tree.first(node), keys);
      } else if (pivot == wide.length) {
        wide.give(tree.first(node), keys);
      } else if (pivot == length) {
        IpAddress address = Words.address(v4, tree.first(node), tree.second(node));
        keys.host(address.high(), address.low());
      }
    }
  }

  /** Networks of one pivot's length: they come in order, so equal ones follow each other. */
  private final class Pivots {
    private final int length;
    private boolean any;
    private long last;

    Pivots(int length) {
      this.length = length;
    }

    void give(long first, FilterKeys keys) {
      long network = first & Words.leading(length);
      if (!any || network != last) {
        IpAddress address = Words.address(v4, network, 0);
        keys.pivot(address.high(), address.low(), length);
      }
      any = true;
      last = network;
    }
  }
}
