package io.bloomgate.blocklists.index;

import io.bloomgate.blocklists.entry.ListEntry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The proof that a feed lists a key: only the exact indexes can make one, and no verdict refuses
 * mail without one (promise P2). Immutable.
 */
public final class Listing {

  private final String feed;
  private final ListEntry entry;

  /**
   * Called by the indexes of this package when an entry was found to cover the asked key, and by
   * nobody else.
   */
  Listing(String feed, ListEntry entry) {
    this.feed = feed;
    this.entry = entry;
  }

  /** Name of the feed. */
  public String feed() {
    return feed;
  }

  /** The entry that covers the key, with its line in the feed. */
  public ListEntry entry() {
    return entry;
  }

  /** The same entry of the same feed: two decisions are compared, without an entry and with it. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Listing that && feed.equals(that.feed) && entry.equals(that.entry);
  }

  @Override
  public int hashCode() {
    return Objects.hash(feed, entry);
  }

  @Override
  public String toString() {
    return feed + " " + entry.text() + " line " + entry.line();
  }
}
