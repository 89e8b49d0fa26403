package io.bloomgate.blocklists.breaker;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.index.Listing;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The entries that breakers took back to observe, by feed. Asked at every listing that a decision
 * finds, on any thread; immutable, replaced by {@link Breaker} when one trips or is lifted.
 */
public final class Tripped {

  /** No breaker has tripped. */
  public static final Tripped NONE = new Tripped(Map.of(), Set.of());

  private final Map<String, List<EntryKeys>> entries;
  private final Set<String> wholeFeeds;

  private Tripped(Map<String, List<EntryKeys>> entries, Set<String> wholeFeeds) {
    this.entries = Map.copyOf(entries);
    this.wholeFeeds = Set.copyOf(wholeFeeds);
  }

  /** What the tripped ones among these took back. */
  static Tripped of(Collection<List<Publish>> feeds) {
    Map<String, List<EntryKeys>> entries = new HashMap<>();
    Set<String> whole = new HashSet<>();
    feeds.stream()
        .flatMap(List::stream)
        .filter(Publish::isTripped)
        .collect(Collectors.groupingBy(p -> p.feed))
        .forEach((feed, tripping) -> {
          entries.put(feed, tripping.stream().map(p -> p.entries).toList());
          if (tripping.stream().anyMatch(p -> p.entriesLost)) {
            whole.add(feed);
          }
        });
    return entries.isEmpty() ? NONE : new Tripped(entries, whole);
  }

  /**
   * True when a listing only counts as observe. A set that the disk no longer gives is taken to
   * hold the entry: list or store trouble lets mail pass.
   */
  public boolean holds(Listing listing) {
    List<EntryKeys> sets = entries.get(listing.feed());
    if (sets == null) {
      return false;
    }
    if (wholeFeeds.contains(listing.feed())) {
      return true;
    }
    try {
      return sets.stream().anyMatch(set -> set.contains(listing.entry()));
    } catch (InternalError e) {
      // What the JVM makes of a mapped page that cannot be read.
      return true;
    }
  }

  /** True when no breaker has tripped. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }
}
