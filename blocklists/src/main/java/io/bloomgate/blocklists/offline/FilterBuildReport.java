package io.bloomgate.blocklists.offline;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;

/**
 * What a build made. Immutable.
 *
 * @param filter as it lies on disk
 * @param measuredRate ratio of false positives among {@link #PROBES} random hashes
 * @param lists what was read of each list; none for a merge
 * @param merged the filters that were merged; none for a build from lists
 * @param knownGood distinct keys that must never hit
 * @param listedKnownGood of them those that are listed too, and were left out
 * @param nanos time of the whole work
 */
public record FilterBuildReport(
    LoadedFilter filter,
    double measuredRate,
    List<ListReport> lists,
    List<Path> merged,
    long knownGood,
    long listedKnownGood,
    long nanos) {

  /** Random hashes behind a measured rate. */
  public static final int PROBES = Measurement.PROBES;

  private static final double NANOS = 1e9;

  public FilterBuildReport {
    lists = List.copyOf(lists);
    merged = List.copyOf(merged);
  }

  /** Keys that were read, repeats included. */
  public long keys() {
    return lists.stream().mapToLong(ListReport::keys).sum();
  }

  /** Entries that take away, which were left out. */
  public long exceptions() {
    return lists.stream().mapToLong(ListReport::exceptions).sum();
  }

  /** Bad lines, which were left out. */
  public long invalid() {
    return lists.stream().mapToLong(list -> list.totals().invalid()).sum();
  }

  /** Files with more bad lines than a feed may have. */
  public List<ListReport> tooBad() {
    return lists.stream().filter(ListReport::hasTooManyBadLines).toList();
  }

  /** The object of {@code filter inspect}, and what only the build knows. */
  public JsonObject toJson() {
    return filter
        .members()
        .put("measured_fpp", measuredRate)
        .put("probes", PROBES)
        .put("keys", keys())
        .put("exceptions", exceptions())
        .put("invalid", invalid())
        .put("known_good", knownGood)
        .put("listed_known_good", listedKnownGood)
        .put("seconds", Math.round(nanos / NANOS * 1000) / 1000.0)
        .put("lists", new JsonArray(lists.stream().map(l -> (JsonValue) l.toJson()).toList()))
        .put("merged", JsonValue.ofStrings(merged.stream().map(Path::toString).toList()))
        .build();
  }
}
