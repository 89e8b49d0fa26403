package io.bloomgate.blocklists;

import io.bloomgate.blocklists.generation.KeyBatch;
import io.bloomgate.blocklists.generation.ListAnswer;
import io.bloomgate.blocklists.generation.ListSnapshot;
import io.bloomgate.blocklists.generation.Partition;
import io.bloomgate.blocklists.generation.SnapshotManifest;
import io.bloomgate.blocklists.index.AsnAnswer;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.config.name.IpPrefix;
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
 * path.
 *
 * <p>Sessions ask a snapshot through {@link #counting}; the metrics read the counters.
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

  /** The same snapshot with every answer counted; costs nothing to make. */
  public ListSnapshot counting(ListSnapshot snapshot) {
    return new Counted(snapshot);
  }

  /** The number of answers of one kind of all filters. */
  public long count(Outcome outcome) {
    return Stream.of(Partition.values()).mapToLong(filter -> of(filter, outcome).sum()).sum();
  }

  /** The number of answers of one kind. */
  public long count(String filter, Outcome outcome) {
    return Stream.of(Partition.values())
        .filter(one -> one.word().equals(filter))
        .mapToLong(one -> of(one, outcome).sum())
        .sum();
  }

  /** Names of the filters. */
  public List<String> filters() {
    return Stream.of(Partition.values()).map(Partition::word).toList();
  }

  private void count(ListKey key, Outcome outcome) {
    of(Partition.of(key), outcome).increment();
  }

  private final class Counted implements ListSnapshot {
    private final ListSnapshot inner;

    private Counted(ListSnapshot inner) {
      this.inner = inner;
    }

    @Override
    public long generation() {
      return inner.generation();
    }

    @Override
    public SnapshotManifest manifest() {
      return inner.manifest();
    }

    @Override
    public RangeTally within(IpPrefix range) {
      return inner.within(range);
    }

    @Override
    public List<AsnAnswer> asn(IpPrefix network) {
      return inner.asn(network);
    }

    @Override
    public ListAnswer ask(ListKey key) {
      ListAnswer answer = inner.ask(key);
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
     * Asks, and counts a clean key; a key that may be listed is asked for once more, and counted
     * then.
     */
    @Override
    public long mayList(KeyBatch batch) {
      long hits = inner.mayList(batch);
      for (int i = 0; i < batch.size(); i++) {
        if ((hits >>> i & 1) == 0) {
          count(batch.key(i), Outcome.NEGATIVE);
        }
      }
      return hits;
    }
  }
}
