package io.bloomgate.gateway.dns;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;

/**
 * Counts the look-ups that run, in all and for one {@link ClientNetwork}: the owner of a network
 * can have names there without an answer, and must not block the look-ups of all others. Used on
 * session threads and on those of look-ups; thread-safe.
 *
 * <p>A network may have a quarter of all places, and never more than are still free: so a few
 * networks that want all leave as many as each of them has, and a network that has none gets the
 * next place.
 */
final class LookupPlaces {

  private final int max;
  private final int share;
  private final Multiset<IpAddress> running = HashMultiset.create();

  /**
   * No place is taken yet.
   *
   * @param max look-ups at the same time
   */
  LookupPlaces(int max) {
    this.max = max;
    this.share = ClientNetwork.share(max);
  }

  /** Takes a place for a client; false when there is none for it, and then nothing was taken. */
  synchronized boolean take(IpAddress client) {
    IpAddress network = ClientNetwork.of(client);
    int own = running.count(network);
    int left = max - running.size();
    boolean free = left > 0 && (own == 0 || own < Math.min(share, left));
    return free && running.add(network);
  }

  /** Gives back what this client got. */
  synchronized void giveBack(IpAddress client) {
    running.remove(ClientNetwork.of(client));
  }
}
