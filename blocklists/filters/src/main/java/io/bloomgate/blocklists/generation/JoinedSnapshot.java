package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * A generation together with lists that were built beside it: answers as one generation of all of
 * them would. Asked for {@code impact}, and for good senders before a generation goes live. An
 * exception voids only listings of the same feed in the same one of the two.
 *
 * @param more its feeds come behind the live ones
 */
public record JoinedSnapshot(ListSnapshot live, ListSnapshot more) implements ListSnapshot {

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

  @Override
  public List<AsnAnswer> asn(IpPrefix network) {
    List<AsnAnswer> all = new ArrayList<>(live.asn(network));
    all.addAll(more.asn(network));
    return all;
  }

  @Override
  public void forEachWithin(IpPrefix range, Consumer<IpPrefix> networks) {
    live.forEachWithin(range, networks);
    more.forEachWithin(range, networks);
  }

  /** Most specific first; the sort is stable, so live feeds come first among equals. */
  private static List<Listing> merged(List<Listing> first, List<Listing> then) {
    List<Listing> all = new ArrayList<>(first);
    all.addAll(then);
    all.sort(Comparator.comparingInt((Listing listing) -> -listing.entry().subject().narrowness()));
    return all;
  }
}
