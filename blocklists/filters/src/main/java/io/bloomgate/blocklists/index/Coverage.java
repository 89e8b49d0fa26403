package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The answer of an index about one key. Immutable.
 *
 * @param listed true when at least one entry lists the key, even if exceptions void them all
 * @param standing listings that no exception of their own feed voids, most specific first, then in
 *     feed order
 * @param beside of a key that nothing lists: entries of its name or a parent whose match mode does
 *     not reach the key
 */
public record Coverage(boolean listed, List<Listing> standing, List<Listing> beside) {

  public Coverage {
    standing = List.copyOf(standing);
    beside = List.copyOf(beside);
  }

  /** Collects the entries that cover one key, most specific first. One thread. */
  static final class Collector {

    /** Few keys are listed by more feeds. */
    private static final int USUAL_LISTINGS = 2;

    private final List<String> feeds;
    private final List<Listing> listings = new ArrayList<>(USUAL_LISTINGS);
    private final List<Listing> beside = new ArrayList<>(0);
    private final Set<String> excepted = new HashSet<>(0);

    Collector(List<String> feeds) {
      this.feeds = feeds;
    }

    void found(int feed, ListEntry entry) {
      if (entry.exception()) {
        excepted.add(feeds.get(feed));
      } else {
        listings.add(new Listing(feeds.get(feed), entry));
      }
    }

    /** An entry of the key or a parent that does not reach the key. */
    void foundBeside(int feed, ListEntry entry) {
      if (!entry.exception()) {
        beside.add(new Listing(feeds.get(feed), entry));
      }
    }

    /**
     * An exception voids the listings of the same feed only (rules of decision in
     * gateway/README.md).
     */
    Coverage done() {
      if (listings.isEmpty()) {
        return new Coverage(false, List.of(), beside);
      }
      listings.removeIf(listing -> excepted.contains(listing.feed()));
      return new Coverage(true, listings, List.of());
    }
  }
}
