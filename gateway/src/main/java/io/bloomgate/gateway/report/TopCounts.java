package io.bloomgate.gateway.report;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts things of which there may be millions, in bounded memory: when there are too many, those
 * that were seen least are forgotten. So a thing that is seen often enough to be among the first is
 * counted well, and rare ones are not. One thread.
 */
final class TopCounts<K> {

  /** Things that are kept when there are too many; twice as many are too many. */
  private static final int KEPT = 20_000;

  /** A thing and how often it was seen. */
  record Counted<K>(K what, long times) {}

  private final int kept;
  private final Map<K, Long> counts = new HashMap<>();

  TopCounts() {
    this(KEPT);
  }

  /** Makes it with another bound. */
  TopCounts(int kept) {
    this.kept = kept;
  }

  void add(K what, long times) {
    counts.merge(what, times, Long::sum);
    if (counts.size() > 2 * kept) {
      List<Counted<K>> most = top(kept);
      counts.clear();
      most.forEach(each -> counts.put(each.what, each.times));
    }
  }

  /** The most frequent ones; equal ones by their text, so that two runs answer the same. */
  List<Counted<K>> top(int limit) {
    return counts.entrySet().stream()
        .map(each -> new Counted<>(each.getKey(), each.getValue()))
        .sorted(
            Comparator.<Counted<K>>comparingLong(each -> -each.times)
                .thenComparing(each -> String.valueOf(each.what)))
        .limit(limit)
        .toList();
  }
}
