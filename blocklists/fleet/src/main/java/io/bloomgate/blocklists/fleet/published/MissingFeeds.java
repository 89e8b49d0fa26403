package io.bloomgate.blocklists.fleet.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Feeds whose files of the leader cannot be had. After some time without them this gateway fetches
 * such a feed itself, and looks now and then whether the files are there. Used by {@link Follower}
 * and by fetches, on any thread.
 */
final class MissingFeeds {

  /** The time between two looks doubles up to this multiple of the first. */
  private static final long MAX_REST = 32;

  private final Map<String, Miss> misses = new TreeMap<>();

  /**
   * A feed without its files.
   *
   * @param why which file, and what is wrong with it
   * @param since when the files of this feed were missing first, in nanoseconds
   * @param lost this gateway fetches the feed itself
   * @param looked when it was looked last, in nanoseconds
   * @param rest how many intervals it is not looked for then
   */
  private record Miss(String why, long since, boolean lost, long looked, long rest) {}

  /** A version cannot be taken. */
  synchronized void failed(String feed, String why, long now) {
    Miss before = misses.getOrDefault(feed, new Miss(why, now, false, now, 0));
    long rest = Math.clamp(2 * before.rest(), 1, MAX_REST);
    misses.put(feed, new Miss(why, before.since(), before.lost(), now, rest));
  }

  /**
   * The files of a feed are there, or the leader names other ones.
   *
   * @return true when this gateway fetched the feed itself until now
   */
  synchronized boolean found(String feed) {
    Miss before = misses.remove(feed);
    return before != null && before.lost();
  }

  /**
   * Lets this gateway fetch what is missing for this time.
   *
   * @return true when it is one more
   */
  synchronized boolean lose(long now, long patienceNanos) {
    long before = misses.values().stream().filter(Miss::lost).count();
    misses.replaceAll((feed, miss) ->
        now - miss.since() < patienceNanos
            ? miss
            : new Miss(miss.why(), miss.since(), true, miss.looked(), miss.rest()));
    return misses.values().stream().filter(Miss::lost).count() > before;
  }

  synchronized boolean isLost(String feed) {
    Miss miss = misses.get(feed);
    return miss != null && miss.lost();
  }

  /** Feeds that are fetched here and whose files it is time to look for. */
  synchronized List<String> due(long now, long intervalNanos) {
    return misses.entrySet().stream()
        .filter(miss -> miss.getValue().lost())
        .filter(miss -> now - miss.getValue().looked() >= miss.getValue().rest() * intervalNanos)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns what an operator should know; empty while nothing is lost. */
  synchronized Optional<String> sentence() {
    List<String> lost = new ArrayList<>();
    misses.forEach((feed, miss) -> {
      if (miss.lost()) {
        lost.add(feed + " cannot be taken (" + miss.why() + ")");
      }
    });
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    String more =
        lost.size() == 1
            ? "; this gateway fetches the feed itself until it can"
            : ", and " + (lost.size() - 1) + " more; this gateway fetches these feeds itself";
    return Optional.of("what the leader published of feed " + lost.getFirst() + more);
  }
}
