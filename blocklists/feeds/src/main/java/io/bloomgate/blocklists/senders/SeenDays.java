package io.bloomgate.blocklists.senders;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Hosts or senders with the last time that each was seen and the days on which it was. Bounded:
 * beyond, the longest unseen is forgotten. Used by {@link KnownSenders} under its lock.
 */
class SeenDays<K> {

  private static final long DAY_SECONDS = 86_400;

  private final int capacity;

  /** Longest unseen first. */
  private final Map<K, Seen> seen = new LinkedHashMap<>();

  /**
   * A last time and the days.
   *
   * @param last in seconds of the epoch
   * @param days the day of the last time in the lowest bit, the day before in the next, and so on
   */
  record Seen(long last, int days) {

    static Seen once(Instant time) {
      return new Seen(Math.max(0, time.getEpochSecond()), 1);
    }

    Instant time() {
      return Instant.ofEpochSecond(last);
    }

    /** The same days, counted from another time. */
    Seen at(long time) {
      long passed = time / DAY_SECONDS - last / DAY_SECONDS;
      if (passed >= 0) {
        return new Seen(time, passed < Integer.SIZE ? days << passed : 0);
      }
      // The clock was wrong then: what lies ahead counts as the day itself.
      return new Seen(time, passed > -Integer.SIZE ? days >>> -passed | 1 : 1);
    }

    private Seen and(Seen other) {
      Seen newer = other.last >= last ? other : this;
      Seen older = other.last >= last ? this : other;
      return new Seen(newer.last, newer.days | older.at(newer.last).days);
    }
  }

  /**
   * @param capacity that are kept at most
   */
  SeenDays(int capacity) {
    this.capacity = capacity;
  }

  int size() {
    return seen.size();
  }

  /** Adds to what is known of one. */
  void see(K key, Seen now) {
    Seen before = seen.remove(key);
    if (before == null) {
      if (!takes(key)) {
        return;
      }
      if (seen.size() >= capacity) {
        Iterator<K> oldest = seen.keySet().iterator();
        dropped(oldest.next());
        oldest.remove();
      }
    }
    seen.put(key, before == null ? now : before.and(now));
  }

  /** True when one that is not known yet is to be remembered. */
  boolean takes(K key) {
    return true;
  }

  /** One is forgotten. */
  void dropped(K key) {}

  /** All of them, longest unseen first; a view. */
  Map<K, Seen> all() {
    return Collections.unmodifiableMap(seen);
  }

  /** Forgets what was last seen before a time. */
  void forgetBefore(Instant oldest) {
    seen.entrySet()
        .removeIf(one -> {
          boolean old = one.getValue().last < oldest.getEpochSecond();
          if (old) {
            dropped(one.getKey());
          }
          return old;
        });
  }

  /**
   * The senders seen last, each once, few of any one network, so that no network can push the
   * others out. Used by {@link KnownSenders} under its lock.
   */
  static final class SenderSamples extends SeenDays<SenderSamples.Sample> {

    private final int perNetwork;
    private final Map<Long, Integer> ofNetwork = new HashMap<>();

    /** A host and what it sent as. */
    record Sample(IpAddress client, String sender, String helo) {}

    /**
     * @param capacity samples that are kept at most; beyond, the longest unseen is dropped
     * @param perNetwork samples of one network at most; beyond, new ones are not taken
     */
    SenderSamples(int capacity, int perNetwork) {
      super(capacity);
      this.perNetwork = perNetwork;
    }

    @Override
    boolean takes(Sample sample) {
      long network = ClientNetwork.siteNumber(sample.client);
      boolean takes = ofNetwork.getOrDefault(network, 0) < perNetwork;
      if (takes) {
        ofNetwork.merge(network, 1, Integer::sum);
      }
      return takes;
    }

    @Override
    void dropped(Sample sample) {
      ofNetwork.computeIfPresent(
          ClientNetwork.siteNumber(sample.client), (_, count) -> count == 1 ? null : count - 1);
    }

    /** All, longest unseen first. */
    List<KnownSender> list() {
      List<KnownSender> all = new ArrayList<>(size());
      all()
          .forEach((one, at) ->
              all.add(new KnownSender(one.client, one.sender, one.helo, at.time(), at.days())));
      return all;
    }
  }
}
