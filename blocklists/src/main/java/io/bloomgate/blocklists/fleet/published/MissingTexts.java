package io.bloomgate.blocklists.fleet.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Feeds of which the manifest names a version whose files cannot be had. After some time without
 * them this gateway fetches such a feed itself, and looks now and then whether the files are there.
 * Used by {@link Follower} and by fetches, on any thread.
 */
final class MissingTexts {

  /** The time between two looks doubles up to this multiple of the first. */
  private static final long MOST_DOUBLED = 32;

  private final Map<String, Miss> misses = new TreeMap<>();

  /**
   * A feed without its files.
   *
   * @param mark of the version
   * @param why which file, and what is wrong with it
   * @param since when the files of this feed were missing first, in nanoseconds
   * @param lost this gateway fetches the feed itself
   * @param looked when it was looked last, in nanoseconds
   * @param rest how many intervals it is not looked for then
   */
  private record Miss(String mark, String why, long since, boolean lost, long looked, long rest) {}

  /** A version cannot be taken. */
  synchronized void failed(String feed, String mark, String why, long now) {
    Miss before = misses.get(feed);
    long rest =
        before == null || !before.mark().equals(mark)
            ? 1
            : Math.min(2 * before.rest(), MOST_DOUBLED);
    misses.put(
        feed,
        before == null
            ? new Miss(mark, why, now, false, now, rest)
            : new Miss(mark, why, before.since(), before.lost(), now, rest));
  }

  /**
   * The files of a feed are there.
   *
   * @return true when this gateway fetched the feed itself until now
   */
  synchronized boolean found(String feed) {
    Miss before = misses.remove(feed);
    return before != null && before.lost();
  }

  /** Feeds that this gateway fetches itself from now on: they are missing for this time. */
  synchronized List<String> lose(long now, long patienceNanos) {
    List<String> lost = new ArrayList<>();
    misses.replaceAll((feed, miss) -> {
      if (miss.lost() || now - miss.since() < patienceNanos) {
        return miss;
      }
      lost.add(feed);
      return new Miss(miss.mark(), miss.why(), miss.since(), true, now, 1);
    });
    return lost;
  }

  synchronized boolean isLost(String feed) {
    Miss miss = misses.get(feed);
    return miss != null && miss.lost();
  }

  /**
   * Feeds that are fetched here and whose files it is time to look for: at once when there is
   * another version.
   */
  synchronized List<String> due(Map<String, String> marks, long now, long intervalNanos) {
    misses.keySet().retainAll(marks.keySet());
    List<String> due = new ArrayList<>();
    misses.forEach((feed, miss) -> {
      boolean other = !miss.mark().equals(marks.get(feed));
      if (miss.lost() && (other || now - miss.looked() >= miss.rest() * intervalNanos)) {
        due.add(feed);
      }
    });
    return due;
  }

  /** What an operator should know; empty while nothing is lost. */
  synchronized Optional<String> sentence() {
    List<String> lost = new ArrayList<>();
    String why = "";
    for (Map.Entry<String, Miss> one : misses.entrySet()) {
      if (one.getValue().lost()) {
        why = why.isEmpty() ? one.getValue().why() : why;
        lost.add(one.getKey());
      }
    }
    if (lost.isEmpty()) {
      return Optional.empty();
    }
    String more = lost.size() == 1 ? "" : " and " + (lost.size() - 1) + " more";
    return Optional.of(
        "what the leader published of feed %s%s cannot be taken (%s); this gateway fetches %s itself until it can"
            .formatted(lost.getFirst(), more, why, lost.size() == 1 ? "the feed" : "these feeds"));
  }
}
