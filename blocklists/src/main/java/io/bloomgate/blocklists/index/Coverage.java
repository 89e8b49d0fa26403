package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What an index knows of one key. Immutable.
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

  /**
   * An entry that covered a key in the past.
   *
   * @param reaches false when by its match mode it does not reach the key
   */
  public record Past(String feed, ListEntry entry, boolean reaches) {}

  /**
   * What covered a key in the past, of what the history kept of the exact indexes; no session asks.
   *
   * @param entries of the key and around it, most specific first, then in feed order
   */
  public static Coverage past(List<Past> entries) {
    List<String> feeds = entries.stream().map(Past::feed).toList();
    Collector found = new Collector(feeds);
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i).reaches()) {
        found.found(i, entries.get(i).entry());
      } else {
        found.foundBeside(i, entries.get(i).entry());
      }
    }
    return found.done();
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

    /** An exception voids the listings of the same feed only (contract, section 3). */
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
