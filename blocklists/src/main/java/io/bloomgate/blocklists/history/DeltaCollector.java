package io.bloomgate.blocklists.history;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.history.Delta.Change;
import io.bloomgate.blocklists.history.Delta.FeedChange;
import io.bloomgate.blocklists.history.Delta.Past;
import io.bloomgate.blocklists.index.EntryVisitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds what differs between the exact indexes of two generations: what mail was asked of, so held
 * entries, accepted ones and rolled back versions are counted as they are. Used by {@link
 * FeedHistory} on the feed-refresher thread; takes time by the entries of both, and memory by what
 * changed.
 */
final class DeltaCollector {

  /**
   * Changes of one feed that are kept, about 100 octets of memory each while they are collected.
   */
  static final int MAX_CHANGES = 500_000;

  private final ListSnapshot before;
  private final ListSnapshot now;
  private final int maxChanges;
  private final Map<String, List<Change>> changes = new LinkedHashMap<>();
  private final Map<String, Past> pasts = new HashMap<>();

  private DeltaCollector(ListSnapshot before, ListSnapshot now, int maxChanges) {
    this.before = before;
    this.now = now;
    this.maxChanges = maxChanges;
  }

  /** The feeds that changed between two generations, and how. */
  static List<FeedChange> between(ListSnapshot before, ListSnapshot now, int maxChanges) {
    DeltaCollector collector = new DeltaCollector(before, now, maxChanges);
    collector.collect();
    return collector.result();
  }

  private void collect() {
    SnapshotManifest old = before.manifest();
    SnapshotManifest fresh = now.manifest();
    boolean rulesChanged = !old.inputs().equals(fresh.inputs());
    for (FeedCounts feed : fresh.feeds()) {
      boolean isNew = old.feed(feed.name()).isEmpty();
      if (isNew || rulesChanged || number(old, feed.name()) != feed.number()) {
        changes.put(feed.name(), new ArrayList<>());
        pasts.put(feed.name(), isNew ? Past.ABSENT : Past.KEPT);
      }
    }
    for (FeedCounts feed : old.feeds()) {
      if (fresh.feed(feed.name()).isEmpty()) {
        changes.put(feed.name(), new ArrayList<>());
        pasts.put(feed.name(), Past.KEPT);
      }
    }
    now.forEachEntry(new Difference(now, before, true));
    before.forEachEntry(new Difference(before, now, false));
  }

  private List<FeedChange> result() {
    List<FeedChange> feeds = new ArrayList<>();
    changes.forEach((feed, found) -> {
      Past past = pasts.getOrDefault(feed, Past.KEPT);
      long version = number(now.manifest(), feed);
      boolean same = past == Past.KEPT && found.isEmpty();
      if (!same || version != number(before.manifest(), feed)) {
        feeds.add(new FeedChange(feed, version, past, found));
      }
    });
    return feeds;
  }

  private static long number(SnapshotManifest manifest, String feed) {
    return manifest.feed(feed).map(FeedCounts::number).orElse(0L);
  }

  /** Collects the entries of one generation that another does not have. */
  private final class Difference implements EntryVisitor {

    private final List<String> feeds;
    private final int[] others;
    private final ListSnapshot other;
    private final boolean added;

    Difference(ListSnapshot from, ListSnapshot other, boolean added) {
      this.feeds = names(from);
      this.others = feeds.stream().mapToInt(names(other)::indexOf).toArray();
      this.other = other;
      this.added = added;
    }

    private static List<String> names(ListSnapshot snapshot) {
      return snapshot.manifest().feeds().stream().map(FeedCounts::name).toList();
    }

    @Override
    public boolean wants(int feed, boolean exception) {
      return changes.containsKey(feeds.get(feed)) && pasts.get(feeds.get(feed)) == Past.KEPT;
    }

    @Override
    public void entry(int feed, ListEntry entry) {
      if (others[feed] < 0 || other.line(others[feed], entry).isEmpty()) {
        List<Change> found = changes.getOrDefault(feeds.get(feed), new ArrayList<>());
        found.add(new Change(HistoryKey.of(entry), entry.exception(), added));
        if (found.size() > maxChanges) {
          pasts.put(feeds.get(feed), Past.UNKNOWN);
          found.clear();
        }
      }
    }
  }
}
