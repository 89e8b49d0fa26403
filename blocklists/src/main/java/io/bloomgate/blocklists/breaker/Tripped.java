package io.bloomgate.blocklists.breaker;

import io.bloomgate.blocklists.feed.EntryKeys;
import io.bloomgate.blocklists.index.Listing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The entries that breakers took back to observe, by feed. Asked at every listing that a decision
 * finds, on any thread; immutable, replaced by {@link Breaker} when one trips or is lifted.
 */
public final class Tripped {

  /** No breaker has tripped. */
  public static final Tripped NONE = new Tripped(Map.of());

  private final Map<String, List<EntryKeys>> entries;

  /**
   * @param entries the sets of each feed
   */
  public Tripped(Map<String, List<EntryKeys>> entries) {
    Map<String, List<EntryKeys>> copy = new HashMap<>();
    entries.forEach((feed, sets) -> copy.put(feed, List.copyOf(sets)));
    this.entries = Map.copyOf(copy);
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
