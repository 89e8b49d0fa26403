package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.ClassicSizing;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.PlannedSize;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter size}: how large a filter of each kind would be for the same keys at the
 * same rate, or which rate each would have in the same memory. Nothing is built. Immutable.
 */
public record SizeComparison(Request request, List<Row> rows) {

  /**
   * The question.
   *
   * @param entries distinct keys, at least 1
   * @param rate ratio of false positives that every kind is to reach; {@code null} for a memory
   * @param bits the most for all keys together, where no rate is asked
   * @param hashes places of a key in the kinds that leave a choice; 0 for the best number
   */
  public record Request(long entries, @Nullable Double rate, long bits, int hashes) {}

  /**
   * One way to make the filter.
   *
   * @param kind its name, or that of a peer's sizing
   * @param size what it would be; {@code null} when it cannot be made so
   * @param remark why it cannot, or what else is to know; may be empty
   */
  public record Row(String kind, @Inline @Rare @Nullable Size size, String remark) {}

  /**
   * The size that a filter would have.
   *
   * @param bits of its array
   * @param hashes places that a lookup reads
   * @param expectedFpp ratio of false positives
   * @param boundBits the fewest bits with which any such filter could exist
   */
  public record Size(
      long bits,
      long octets,
      double bitsPerEntry,
      int hashes,
      double expectedFpp,
      long boundBits,
      double factor) {

    private static Size of(PlannedSize size, long entries) {
      double bound = PlannedSize.lowerBound(entries, size.rate());
      return new Size(
          size.bits(),
          Math.ceilDiv(size.bits(), Byte.SIZE),
          Math.round(100.0 * size.bits() / entries) / 100.0,
          size.hashes(),
          size.rate(),
          Math.round(bound),
          bound > 0 ? Math.round(1000 * size.bits() / bound) / 1000.0 : 0);
    }
  }

  /** Makes a size, or says why there is none. */
  @FunctionalInterface
  private interface Sizing {
    PlannedSize size() throws FilterBuildException;
  }

  /** Asks all kinds. */
  public static SizeComparison of(Request request) {
    long entries = request.entries;
    Double rate = request.rate;
    List<Row> rows = new ArrayList<>();
    for (FilterKind kind : FilterKind.values()) {
      Sizing sizing =
          () ->
              rate == null
                  ? PlannedSize.byBits(kind, entries, request.bits, request.hashes)
                  : PlannedSize.byRate(kind, entries, rate, request.hashes);
      rows.add(row(kind.word(), remark(kind), entries, sizing));
    }
    String cassandra = "Cassandra's table of whole bits";
    long bitsPerEntry = request.bits / entries;
    rows.add(
        row(
            "cassandra-rate",
            cassandra,
            entries,
            () -> {
              double asked =
                  rate == null ? PlannedSize.Cassandra.byBits(bitsPerEntry).rate() : rate;
              return fitting(PlannedSize.Cassandra.byRate(asked).size(entries), request);
            }));
    rows.add(
        row(
            "cassandra-bits",
            cassandra,
            entries,
            () -> {
              long bits = rate == null ? bitsPerEntry : PlannedSize.Cassandra.byRate(rate).bits();
              return fitting(PlannedSize.Cassandra.byBits(bits).size(entries), request);
            }));
    return new SizeComparison(request, List.copyOf(rows));
  }

  private static Row row(String kind, String remark, long entries, Sizing sizing) {
    try {
      return new Row(kind, Size.of(sizing.size(), entries), remark);
    } catch (FilterBuildException e) {
      return new Row(kind, null, String.valueOf(e.getMessage()));
    }
  }

  private static String remark(FilterKind kind) {
    return switch (kind) {
      case CASCADE -> "its first level; known-good keys cost more";
      case SCALABLE, SCALABLE_COUNTING -> "its first slice; it grows and keeps the rate";
      case SPLIT_BLOCK, CLASSIC, COUNTING, FUSE8, FUSE16, CUCKOO -> "";
    };
  }

  /** An array has whole words, which few keys do not fill. */
  private static PlannedSize fitting(PlannedSize size, Request request)
      throws FilterBuildException {
    if (request.rate == null && size.bits() > request.bits) {
      throw new FilterBuildException("does not fit");
    }
    return size;
  }

  /** The sentence above the rows. */
  public String title() {
    long entries = request.entries;
    Double rate = request.rate;
    return rate == null
        ? String.format(
            Locale.ROOT,
            "%d keys in %d bits: no filter has a lower rate than %.3g (2^-bits/n)",
            entries,
            request.bits,
            Math.exp(-Math.log(2) * request.bits / entries))
        : String.format(
            Locale.ROOT,
            "%d keys at a rate of %s: no filter has less than %d bits (n log2(1/p))",
            entries,
            rate,
            Math.round(PlannedSize.lowerBound(entries, rate)));
  }

  /**
   * A row of the textbook's table: the rates p = (1 - e^(-kn/m))^k of a classic filter.
   *
   * @param tableBitsPerEntry m/n
   * @param bestHashes the k with the lowest rate
   * @param fpp the rates of k = 1 and so on
   */
  public record Rates(int tableBitsPerEntry, int bestHashes, List<Double> fpp) {

    /** The table for 2 to 20 bits an entry and up to 14 tests. */
    public static List<Rates> table() {
      return IntStream.rangeClosed(2, 20)
          .mapToObj(bits -> {
            List<Double> all =
                IntStream.rangeClosed(1, 14)
                    .mapToObj(k -> ClassicSizing.rate(1, (double) bits, k))
                    .toList();
            int best = IntStream.range(0, all.size()).reduce(0, (i, j) -> less(all, i, j));
            return new Rates(bits, best + 1, all);
          })
          .toList();
    }

    private static int less(List<Double> rates, int i, int j) {
      return rates.get(j) < rates.get(i) ? j : i;
    }
  }
}
