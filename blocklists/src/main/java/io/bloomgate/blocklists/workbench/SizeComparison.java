package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.kinds.CassandraSizing;
import io.bloomgate.blocklists.filter.kinds.PlannedSize;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * {@code bloomgate filter size}: how large a filter of each kind would be for the same keys at the
 * same rate, or which rate each would have in the same memory. Nothing is built. Immutable.
 */
public record SizeComparison(Request request, List<Row> rows) {

  /** The goal that every kind is to reach. */
  public sealed interface Goal {

    /**
     * A ratio of false positives.
     *
     * @param rate between 0 and 1
     */
    record Rate(double rate) implements Goal {}

    /** The most bits for all keys together. */
    record Bits(long bits) implements Goal {}
  }

  /**
   * The question.
   *
   * @param entries distinct keys, at least 1
   * @param hashes places of a key in the kinds that leave a choice; 0 for the best number
   */
  public record Request(long entries, Goal goal, int hashes) {}

  /**
   * The size that a filter would have.
   *
   * @param bits of its array
   * @param hashes places that a lookup reads
   * @param rate ratio of false positives
   */
  public record Size(long bits, int hashes, double rate) {}

  /**
   * One way to make the filter.
   *
   * @param name of the kind, or of a peer's sizing
   * @param size empty when it cannot be made so
   * @param remark why it cannot, or what else is to know; may be empty
   */
  public record Row(String name, Optional<Size> size, String remark) {

    /**
     * The ratio of its bits to the fewest with which any such filter could exist; 0 where none are
     * needed, as every key hits.
     *
     * @param entries keys
     */
    public double factor(long entries) {
      return size.map(s -> factor(s, PlannedSize.lowerBound(entries, s.rate()))).orElse(0.0);
    }

    private static double factor(Size size, double bound) {
      return bound > 0 ? size.bits() / bound : 0;
    }

    JsonObject toJson(long entries) {
      JsonValue.ObjectBuilder object = JsonValue.object().put("kind", name);
      size.ifPresent(s ->
          object
              .put("bits", s.bits())
              .put("octets", Math.ceilDiv(s.bits(), Byte.SIZE))
              .put("bits_per_entry", Math.round(100.0 * s.bits() / entries) / 100.0)
              .put("hashes", s.hashes())
              .put("expected_fpp", s.rate())
              .put("bound_bits", Math.round(PlannedSize.lowerBound(entries, s.rate())))
              .put("factor", Math.round(1000 * factor(entries)) / 1000.0));
      return object.put("remark", remark).build();
    }
  }

  public SizeComparison {
    rows = List.copyOf(rows);
  }

  /** Asks all kinds. */
  public static SizeComparison of(Request request) {
    List<Row> rows = new ArrayList<>();
    for (FilterKind kind : FilterKind.values()) {
      rows.add(row(kind.word(), remark(kind), () -> size(kind, request)));
    }
    String cassandra = "Cassandra's table of whole bits";
    rows.add(row("cassandra-rate", cassandra, () -> cassandraByRate(request)));
    rows.add(row("cassandra-bits", cassandra, () -> cassandraByBits(request)));
    return new SizeComparison(request, rows);
  }

  /** Makes a size, or says why there is none. */
  @FunctionalInterface
  private interface Sizing {
    PlannedSize size() throws FilterBuildException;
  }

  private static Row row(String name, String remark, Sizing sizing) {
    try {
      PlannedSize size = sizing.size();
      return new Row(name, Optional.of(new Size(size.bits(), size.hashes(), size.rate())), remark);
    } catch (FilterBuildException e) {
      return new Row(name, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }

  private static PlannedSize size(FilterKind kind, Request request) throws FilterBuildException {
    return switch (request.goal) {
      case Goal.Rate(double rate) ->
          PlannedSize.byRate(kind, request.entries, rate, request.hashes);
      case Goal.Bits(long bits) -> PlannedSize.byBits(kind, request.entries, bits, request.hashes);
    };
  }

  private static String remark(FilterKind kind) {
    return switch (kind) {
      case CASCADE -> "its first level; known-good keys cost more";
      case SCALABLE, SCALABLE_COUNTING -> "its first slice; it grows and keeps the rate";
      case SPLIT_BLOCK, CLASSIC, COUNTING, FUSE8, FUSE16, CUCKOO -> "";
    };
  }

  private static PlannedSize cassandraByRate(Request request) throws FilterBuildException {
    double rate =
        switch (request.goal) {
          case Goal.Rate(double asked) -> asked;
          case Goal.Bits(long bits) -> CassandraSizing.byBits(bits / request.entries).rate();
        };
    return fitting(CassandraSizing.byRate(rate).size(request.entries), request);
  }

  private static PlannedSize cassandraByBits(Request request) throws FilterBuildException {
    long bitsPerEntry =
        switch (request.goal) {
          case Goal.Rate(double rate) -> CassandraSizing.byRate(rate).bits();
          case Goal.Bits(long bits) -> bits / request.entries;
        };
    return fitting(CassandraSizing.byBits(bitsPerEntry).size(request.entries), request);
  }

  /** An array has whole words, which few keys do not fill. */
  private static PlannedSize fitting(PlannedSize size, Request request)
      throws FilterBuildException {
    if (request.goal instanceof Goal.Bits(long bits) && size.bits() > bits) {
      throw new FilterBuildException("does not fit");
    }
    return size;
  }

  /** One object a row. */
  public List<JsonObject> toJson() {
    return rows.stream().map(row -> row.toJson(request.entries)).toList();
  }

  /** The sentence above the rows. */
  public String title() {
    return switch (request.goal) {
      case Goal.Rate(double rate) ->
          String.format(
              Locale.ROOT,
              "%d keys at a rate of %s: no filter has less than %d bits (n log2(1/p))",
              request.entries,
              rate,
              Math.round(PlannedSize.lowerBound(request.entries, rate)));
      case Goal.Bits(long bits) ->
          String.format(
              Locale.ROOT,
              "%d keys in %d bits: no filter has a lower rate than %.3g (2^-bits/n)",
              request.entries,
              bits,
              Math.exp(-Math.log(2) * bits / request.entries));
    };
  }
}
