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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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

  private final Map<String, Map<Outcome, LongAdder>> counters = new LinkedHashMap<>();
  private final Row ip = new Row(Partition.IP);
  private final Row domain = new Row(Partition.DOMAIN);
  private final Row address = new Row(Partition.ADDRESS);
  private final Row url = new Row(Partition.URL);
  private final Row fingerprint = new Row(Partition.FINGERPRINT);

  /** The same snapshot with every answer counted; costs nothing to make. */
  public ListSnapshot counting(ListSnapshot snapshot) {
    return new Counted(snapshot);
  }

  /** Hits of all filters that the exact index confirmed. */
  public long confirmed() {
    return sum(row -> row.confirmed);
  }

  /** Hits of all filters on true entries whose match mode does not reach the key. */
  public long outOfReach() {
    return sum(row -> row.outOfReach);
  }

  /** Hits of all filters that the exact index did not know. */
  public long falsePositives() {
    return sum(row -> row.falsePositive);
  }

  private long sum(Function<Row, LongAdder> outcome) {
    return Stream.of(ip, domain, address, url, fingerprint)
        .mapToLong(row -> outcome.apply(row).sum())
        .sum();
  }

  /** The number of answers of one kind. */
  public long count(String filter, Outcome outcome) {
    Map<Outcome, LongAdder> row = counters.get(filter);
    LongAdder adder = row == null ? null : row.get(outcome);
    return adder == null ? 0 : adder.sum();
  }

  /** Names of the filters. */
  public Iterable<String> filters() {
    return counters.keySet();
  }

  private final class Row {
    private final LongAdder negative = new LongAdder();
    private final LongAdder confirmed = new LongAdder();
    private final LongAdder outOfReach = new LongAdder();
    private final LongAdder falsePositive = new LongAdder();

    private Row(Partition partition) {
      counters.put(
          partition.word(),
          Map.of(
              Outcome.NEGATIVE,
              negative,
              Outcome.CONFIRMED,
              confirmed,
              Outcome.OUT_OF_REACH,
              outOfReach,
              Outcome.FALSE_POSITIVE,
              falsePositive));
    }

    private LongAdder of(ListAnswer answer) {
      return switch (answer) {
        case ListAnswer.NotListed ignored -> negative;
        case ListAnswer.FalsePositive ignored -> falsePositive;
        case ListAnswer.OutOfReach ignored -> outOfReach;
        case ListAnswer.Listed ignored -> confirmed;
      };
    }
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
      row(key).of(answer).increment();
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
          row(batch.key(i)).negative.increment();
        }
      }
      return hits;
    }

    private Row row(ListKey key) {
      return switch (Partition.of(key)) {
        case IP -> ip;
        case DOMAIN -> domain;
        case ADDRESS -> address;
        case URL -> url;
        case FINGERPRINT -> fingerprint;
      };
    }
  }
}
