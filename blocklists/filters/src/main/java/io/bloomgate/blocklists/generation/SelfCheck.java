package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.name.ListKey;
import java.io.IOException;
import java.io.Serial;
import java.util.ArrayList;
import java.util.List;

/**
 * Proves that a generation, read back from disk, finds every entry of its feeds: through the filter
 * as sessions ask it, and in the exact index (promise P4). Run by {@link SnapshotBuilder} before
 * anything is published, on the building thread.
 *
 * <p>Entries come in no order, so every lookup misses the cache. They are checked a few dozen at a
 * time: the reads of all of them are issued together, then each is looked up.
 */
final class SelfCheck {

  /** Entries that are checked together. */
  private static final int BLOCK = 64;

  /** A network is asked by its first and its last address. */
  private static final int MAX_KEYS_OF_AN_ENTRY = 2;

  private final MappedSnapshot snapshot;
  private final List<ListEntry> block = new ArrayList<>(BLOCK);
  private final KeyBatch keys = new KeyBatch();

  /** The entry of each key of the batch. */
  private final ListEntry[] asked = new ListEntry[KeyBatch.MAX_KEYS];

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
        checkBlock(feed, name);
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
    block.add(entry);
    if (block.size() == BLOCK) {
      checkBlock(feed, name);
    }
  }

  private void checkBlock(int feed, String name) {
    boolean mayHold = snapshot.mayHold(block);
    for (ListEntry entry : block) {
      if (snapshot.line(feed, entry).isEmpty()) {
        throw new Missing(name, entry, "the index");
      }
    }
    if (!mayHold) {
      throw new Missing(name, block.getFirst(), "the directory");
    }
    for (ListEntry entry : block) {
      // An exception lists nothing, so the filter need not know it.
      if (!entry.exception()) {
        ask(name, entry);
      }
    }
    askFilters(name);
    block.clear();
  }

  private void ask(String name, ListEntry entry) {
    if (keys.size() > KeyBatch.MAX_KEYS - MAX_KEYS_OF_AN_ENTRY) {
      askFilters(name);
    }
    switch (entry) {
      case ListEntry.Network network -> {
        add(network.prefix().network(), entry);
        if (!network.prefix().isHost()) {
          add(network.prefix().last(), entry);
        }
      }
      case ListEntry.Domain domain -> add(domain.name(), entry);
      case ListEntry.Address address -> add(address.address(), entry);
      case ListEntry.Url url -> add(url.url(), entry);
      case ListEntry.Hash hash -> add(hash.print(), entry);
      case ListEntry.As as -> add(as.number(), entry);
      case ListEntry.AsnRow _ -> {} // no filter is before the table
    }
  }

  private void add(ListKey key, ListEntry entry) {
    asked[keys.size()] = entry;
    keys.add(key);
  }

  private void askFilters(String name) {
    long missed = keys.everyKey() & ~snapshot.mayList(keys);
    if (missed != 0) {
      throw new Missing(name, asked[Long.numberOfTrailingZeros(missed)], "the filter");
    }
    keys.clear();
  }

  /** Carries a failed check out of the feed's loop. */
  private static final class Missing extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final String text;

    Missing(String feed, ListEntry entry, String where) {
      super(null, null, false, false);
      this.text =
          ("feed %s: the entry of line %d is not found by %s of the new generation; nothing was"
                  + " published")
              .formatted(feed, entry.line(), where);
    }
  }
}
