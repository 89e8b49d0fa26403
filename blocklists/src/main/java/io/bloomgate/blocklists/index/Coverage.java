package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.key.ListEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an index knows of one key. Immutable.
 *
 * @param listed true when at least one entry lists the key, even if exceptions void them all
 * @param standing listings that no exception of their own feed voids, most specific first, then in
 *     feed order
 */
public record Coverage(boolean listed, List<Listing> standing) {

  private static final Coverage NONE = new Coverage(false, List.of());

  public Coverage {
    standing = List.copyOf(standing);
  }

  /** Collects the entries that cover one key, most specific first. One thread. */
  static final class Collector {
    private final List<String> feeds;
    private final List<Listing> listings = new ArrayList<>();

    /** Made when the first exception is found: nearly no key has one. */
    private Set<String> excepted = Set.of();

    Collector(List<String> feeds) {
      this.feeds = feeds;
    }

    void found(int feed, ListEntry entry) {
      String name = feeds.get(feed);
      if (entry.exception()) {
        excepted = excepted.isEmpty() ? new HashSet<>() : excepted;
        excepted.add(name);
      } else {
        listings.add(new Listing(name, entry));
      }
    }

    /** An exception voids the listings of its own feed only (contract, section 3). */
    Coverage done() {
      if (listings.isEmpty()) {
        return NONE;
      }
      if (excepted.isEmpty()) {
        return new Coverage(true, listings);
      }
      return new Coverage(
          true, listings.stream().filter(l -> !excepted.contains(l.feed())).toList());
    }
  }
}
