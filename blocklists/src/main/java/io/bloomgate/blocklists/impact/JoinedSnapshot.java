package io.bloomgate.blocklists.impact;

import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.ListKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The live generation together with lists that were built beside it: answers as one generation of
 * all of them would. Asked by {@link Impact}. An exception voids only listings of the same feed, so
 * the two need nothing of each other.
 *
 * @param more has no feed of the name of another live one; its feeds come behind the live ones
 */
record JoinedSnapshot(ListSnapshot live, ListSnapshot more) implements ListSnapshot {

  @Override
  public long generation() {
    return live.generation();
  }

  @Override
  public long mayList(KeyBatch batch) {
    return live.mayList(batch) | more.mayList(batch);
  }

  @Override
  public ListAnswer ask(ListKey key) {
    ListAnswer first = live.ask(key);
    ListAnswer then = more.ask(key);
    if (first instanceof ListAnswer.Listed(String filter, List<Listing> listings)) {
      return then instanceof ListAnswer.Listed other
          ? new ListAnswer.Listed(filter, merged(listings, other.listings()))
          : first;
    }
    return then instanceof ListAnswer.NotListed ? first : then;
  }

  /** Most specific first; the sort is stable, so live feeds come first among equals. */
  private static List<Listing> merged(List<Listing> first, List<Listing> then) {
    List<Listing> all = new ArrayList<>(first);
    all.addAll(then);
    all.sort(Comparator.comparingInt((Listing listing) -> -listing.entry().subject().narrowness()));
    return all;
  }
}
