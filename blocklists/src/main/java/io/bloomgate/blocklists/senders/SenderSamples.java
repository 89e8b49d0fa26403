package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The senders seen last, each once, few of any one network, so that no network can push the others
 * out. Used by {@link KnownSenders} under its lock.
 */
final class SenderSamples {

  private final int capacity;
  private final int perNetwork;

  /** Longest unseen first. */
  private final LinkedHashMap<Pair, Seen> seen = new LinkedHashMap<>();

  private final Map<Long, Integer> ofNetwork = new HashMap<>();

  /** A host and what it sent as. */
  private record Pair(IpAddress client, String sender, String helo) {}

  /** The last time, and the days as {@link SeenHosts} counts them from there. */
  private record Seen(Instant last, int days) {
    private Seen at(Instant time) {
      return new Seen(
          time, SeenHosts.earlier(days, KnownSenders.seconds(last), KnownSenders.seconds(time)));
    }
  }

  /**
   * @param capacity samples that are kept at most; beyond, the longest unseen is dropped
   * @param perNetwork samples of one network at most; beyond, new ones are not taken
   */
  SenderSamples(int capacity, int perNetwork) {
    this.capacity = capacity;
    this.perNetwork = perNetwork;
  }

  int size() {
    return seen.size();
  }

  /** Notes a sender, or adds what {@link #list} gave to what is known. */
  void see(KnownSender sender) {
    Pair pair = new Pair(sender.client(), sender.sender(), sender.helo());
    long network = ClientNetwork.siteNumber(sender.client());
    Seen before = seen.remove(pair);
    if (before == null) {
      int known = ofNetwork.getOrDefault(network, 0);
      if (known >= perNetwork) {
        return;
      }
      if (seen.size() >= capacity) {
        Iterator<Pair> oldest = seen.keySet().iterator();
        drop(oldest, oldest.next());
      }
      ofNetwork.merge(network, 1, Integer::sum);
    }
    Seen now = new Seen(sender.seen(), sender.days());
    if (before != null) {
      boolean newer = !now.last.isBefore(before.last);
      Seen last = newer ? now : before;
      now = new Seen(last.last, last.days | (newer ? before : now).at(last.last).days);
    }
    seen.put(pair, now);
  }

  /** Takes times that lie ahead of {@code now} for {@code now}. */
  void clamp(Instant now) {
    seen.replaceAll((pair, one) -> one.last.isAfter(now) ? one.at(now) : one);
  }

  void forgetBefore(Instant time) {
    Iterator<Map.Entry<Pair, Seen>> all = seen.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Pair, Seen> next = all.next();
      if (next.getValue().last.isBefore(time)) {
        drop(all, next.getKey());
      }
    }
  }

  private void drop(Iterator<?> at, Pair pair) {
    at.remove();
    ofNetwork.computeIfPresent(
        ClientNetwork.siteNumber(pair.client), (network, count) -> count == 1 ? null : count - 1);
  }

  /** All, longest unseen first. */
  List<KnownSender> list() {
    List<KnownSender> all = new ArrayList<>(seen.size());
    seen.forEach((pair, one) ->
        all.add(new KnownSender(pair.client, pair.sender, pair.helo, one.last, one.days)));
    return all;
  }
}
