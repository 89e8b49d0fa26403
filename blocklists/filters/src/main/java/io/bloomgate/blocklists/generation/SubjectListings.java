package io.bloomgate.blocklists.generation;

import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the entries of a generation that list a subject, wholly or in part, as sessions find them:
 * what an exception voids is no listing. Used by {@link KnownGoodProof}, {@code feeds test} and
 * {@code feeds diff}, on their threads.
 */
public final class SubjectListings {

  /** Addresses of one network that are asked. */
  private static final int MAX_ADDRESSES = 100_000;

  private SubjectListings() {}

  /** Gives each listing; one that several keys of the subject find is given several times. */
  public static void forEach(ListSnapshot lists, Subject subject, Consumer<Listing> listings) {
    for (ListKey key : keys(lists, subject)) {
      if (lists.ask(key) instanceof ListAnswer.Listed(var filter, List<Listing> found)) {
        found.forEach(listings);
      }
    }
  }

  private static Iterable<ListKey> keys(ListSnapshot lists, Subject subject) {
    if (subject instanceof IpPrefix network) {
      return addresses(lists, network);
    }
    List<ListKey> keys = new ArrayList<>(KnownGood.keys(subject));
    if (subject instanceof WebUrl url) {
      keys.add(url.host());
    }
    return keys;
  }

  /** The addresses of a network from which on other entries may list it. */
  private static Set<ListKey> addresses(ListSnapshot lists, IpPrefix network) {
    Set<ListKey> addresses = new LinkedHashSet<>();
    addresses.add(network.network());
    lists.forEachWithin(
        network,
        inside -> {
          if (addresses.size() < MAX_ADDRESSES) {
            addresses.add(inside.network());
            IpAddress next = inside.last().next();
            if (network.contains(next)) {
              addresses.add(next);
            }
          }
        });
    return addresses;
  }
}
