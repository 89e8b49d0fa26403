package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

  private static final Coverage NONE = new Coverage(false, List.of(), List.of());

  public Coverage {
    standing = List.copyOf(standing);
    beside = List.copyOf(beside);
  }

  /** Collects the entries that cover one key, most specific first. One thread. */
  static final class Collector {

    /** Few keys are listed by more feeds. */
    private static final int USUAL_LISTINGS = 2;

    private final List<String> feeds;
    private @Nullable List<Listing> listings;
    private @Nullable List<Listing> beside;
    private @Nullable Set<String> excepted;

    Collector(List<String> feeds) {
      this.feeds = feeds;
    }

    void found(int feed, ListEntry entry) {
      String name = feeds.get(feed);
      if (entry.exception()) {
        excepted = excepted == null ? new HashSet<>() : excepted;
        excepted.add(name);
      } else {
        listings = listings == null ? new ArrayList<>(USUAL_LISTINGS) : listings;
        listings.add(new Listing(name, entry));
      }
    }

    /** An entry of the key or a parent that does not reach the key. */
    void foundBeside(int feed, ListEntry entry) {
      if (!entry.exception()) {
        beside = beside == null ? new ArrayList<>(USUAL_LISTINGS) : beside;
        beside.add(new Listing(feeds.get(feed), entry));
      }
    }

    /**
     * An exception voids the listings of the same feed only (rules of decision in
     * gateway/README.md).
     */
    Coverage done() {
      List<Listing> standing = listings;
      Set<String> voided = excepted;
      if (standing == null) {
        return beside == null ? NONE : new Coverage(false, List.of(), beside);
      }
      if (voided != null) {
        standing.removeIf(listing -> voided.contains(listing.feed()));
      }
      return new Coverage(true, standing, List.of());
    }
  }
}
