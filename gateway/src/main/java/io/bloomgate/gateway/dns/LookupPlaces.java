package io.bloomgate.gateway.dns;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * How many look-ups run, in all and for one {@link ClientNetwork}: the owner of a network can have
 * names there without an answer, and must not block the look-ups of all others. Used on session
 * threads and on those of look-ups; thread-safe.
 */
final class LookupPlaces {

  private final int max;
  private final int share;

  /** Guarded by this, like the number beside it; networks without look-ups are not in it. */
  private final Map<IpAddress, Integer> perNetwork = new HashMap<>();

  private int taken;

  /**
   * No place is taken yet.
   *
   * @param max look-ups at the same time; one network may have a quarter of them
   */
  LookupPlaces(int max) {
    this.max = max;
    this.share = ClientNetwork.share(max);
  }

  /** Takes a place for a client; false when there is none for it, and then nothing was taken. */
  synchronized boolean take(IpAddress client) {
    IpAddress network = ClientNetwork.of(client);
    if (taken >= max || perNetwork.getOrDefault(network, 0) >= share) {
      return false;
    }
    taken++;
    perNetwork.merge(network, 1, Integer::sum);
    return true;
  }

  /** Gives back what {@link #take} gave this client. */
  synchronized void giveBack(IpAddress client) {
    taken--;
    perNetwork.computeIfPresent(
        ClientNetwork.of(client), (network, count) -> count == 1 ? null : count - 1);
  }
}
