package io.bloomgate.blocklists.generation;

import io.bloomgate.config.name.Keyed;
import io.bloomgate.config.name.ListKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Counts what the Bloom filters answer, by filter and outcome, without allocating on the clean
 * path. Decisions ask snapshots through it; the metrics read the counters. Any thread.
 */
public final class FilterCounters {

  /** The result of one question. */
  public enum Outcome implements Keyed {
    NEGATIVE,
    CONFIRMED,
    /** A true entry that does not reach the key by its match mode. */
    OUT_OF_REACH,
    FALSE_POSITIVE
  }

  /** The answers that nobody counts: those to commands. */
  public static final FilterCounters UNREAD = new FilterCounters();

  private final Map<Partition, Map<Outcome, LongAdder>> counters = new EnumMap<>(Partition.class);

  /** Nothing was asked yet. */
  public FilterCounters() {
    for (Partition filter : Partition.values()) {
      Map<Outcome, LongAdder> row = new EnumMap<>(Outcome.class);
      Stream.of(Outcome.values()).forEach(outcome -> row.put(outcome, new LongAdder()));
      counters.put(filter, row);
    }
  }

  private LongAdder of(Partition filter, Outcome outcome) {
    return Objects.requireNonNull(Objects.requireNonNull(counters.get(filter)).get(outcome));
  }

  /** The words of all filters. */
  public List<String> filters() {
    return Stream.of(Partition.values()).map(Partition::word).toList();
  }

  /** The number of answers of one kind of all filters. */
  public long count(Outcome outcome) {
    return Stream.of(Partition.values()).mapToLong(filter -> of(filter, outcome).sum()).sum();
  }

  /** The number of answers of one kind of the filter of this word. */
  public long count(String filter, Outcome outcome) {
    return Stream.of(Partition.values())
        .filter(each -> each.word().equals(filter))
        .mapToLong(each -> of(each, outcome).sum())
        .sum();
  }

  private void count(ListKey key, Outcome outcome) {
    of(Partition.of(key), outcome).increment();
  }

  /** Asks a snapshot as {@link ListSnapshot#ask}, and counts the answer. */
  public ListAnswer ask(ListSnapshot snapshot, ListKey key) {
    ListAnswer answer = snapshot.ask(key);
    count(
        key,
        switch (answer) {
          case ListAnswer.NotListed _ -> Outcome.NEGATIVE;
          case ListAnswer.FalsePositive _ -> Outcome.FALSE_POSITIVE;
          case ListAnswer.OutOfReach _ -> Outcome.OUT_OF_REACH;
          case ListAnswer.Listed _ -> Outcome.CONFIRMED;
        });
    return answer;
  }

  /**
   * Asks a snapshot as {@link ListSnapshot#mayList}, and counts each clean key; one that may be
   * listed is asked for once more, and counted then.
   */
  public long mayList(ListSnapshot snapshot, KeyBatch batch) {
    long hits = snapshot.mayList(batch);
    for (int i = 0; i < batch.size(); i++) {
      if ((hits >>> i & 1) == 0) {
        count(batch.key(i), Outcome.NEGATIVE);
      }
    }
    return hits;
  }
}
