package io.bloomgate.blocklists.snapshot;

import io.bloomgate.blocklists.key.ListEntry;
import java.io.IOException;
import java.io.Serial;
import java.util.List;

/**
 * Proves that a generation, read back from disk, finds every entry of its feeds: through the filter
 * as sessions ask it, and in the exact index (promise P4). Run by {@link SnapshotBuilder} before
 * anything is published, on the building thread.
 */
final class SelfCheck {

  private final MappedSnapshot snapshot;
  private long seen;

  SelfCheck(MappedSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * Reads every feed a second time.
   *
   * @param expected entries that the first pass was given
   * @throws SnapshotBuildException when an entry is not found, or a feed gave other entries
   */
  void run(List<FeedInput> feeds, long expected) throws IOException, SnapshotBuildException {
    for (int i = 0; i < feeds.size(); i++) {
      int feed = i;
      String name = feeds.get(i).name();
      try {
        feeds.get(i).entries().forEach(entry -> check(feed, name, entry));
      } catch (Missing e) {
        throw new SnapshotBuildException(e.text);
      }
    }
    if (seen != expected) {
      throw new SnapshotBuildException(
          "the feeds gave " + expected + " entries first and " + seen + " when checked");
    }
  }

  private void check(int feed, String name, ListEntry entry) {
    seen++;
    if (snapshot.line(feed, entry).isEmpty()) {
      throw new Missing(name, entry, "the index");
    }
    if (!entry.exception() && !passesFilter(entry)) {
      throw new Missing(name, entry, "the filter");
    }
  }

  /** An exception lists nothing, so the filter need not know it. */
  private boolean passesFilter(ListEntry entry) {
    KeyFilters filters = snapshot.filters();
    return switch (entry) {
      case ListEntry.Network network ->
          filters.mayList(network.prefix().network()) && filters.mayList(network.prefix().last());
      case ListEntry.Domain domain -> filters.mayList(domain.name());
      case ListEntry.Address address -> filters.mayList(address.address());
    };
  }

  /** Carries a failed check out of the feed's loop. */
  private static final class Missing extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final String text;

    Missing(String feed, ListEntry entry, String where) {
      super(null, null, false, false);
      this.text =
          "feed "
              + feed
              + ": the entry of line "
              + entry.line()
              + " is not found by "
              + where
              + " of the new generation; nothing was published";
    }
  }
}
