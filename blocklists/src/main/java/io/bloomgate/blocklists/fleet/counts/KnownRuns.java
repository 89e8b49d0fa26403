package io.bloomgate.blocklists.fleet.counts;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which batches were merged: a batch that is in the stream twice, because the reply to the first
 * one was lost, counts once. Used by the thread that reads.
 */
public final class KnownRuns {

  /** Starts of nodes that are remembered; those that were quiet longest are forgotten. */
  static final int MOST_RUNS = 1_024;

  private final Map<Long, Long> newest = new LinkedHashMap<>(16, 0.75f, true);

  /** True for the first time that this batch comes; numbers of a run only rise. */
  public boolean isNew(long run, long number) {
    Long before = newest.get(run);
    if (before != null && before >= number) {
      return false;
    }
    newest.put(run, number);
    if (newest.size() > MOST_RUNS) {
      newest.remove(newest.keySet().iterator().next());
    }
    return true;
  }
}
