package io.bloomgate.blocklists.workbench;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The result of a build. Immutable.
 *
 * @param filter as it is on disk
 * @param probes random hashes behind the measured rate
 * @param measuredRate ratio of false positives among them
 * @param nanos time of the whole work
 */
public record FilterBuildReport(
    LoadedFilter filter,
    int probes,
    double measuredRate,
    Sources sources,
    KnownGood knownGood,
    long nanos) {

  private static final double NANOS = 1e9;

  /**
   * The sources of a build.
   *
   * @param lists what was read of each list; none for a merge
   * @param knownGood the same of the lists of known-good keys
   * @param merged the filters that were merged; none for a build from lists
   */
  public record Sources(List<ListReport> lists, List<ListReport> knownGood, List<Path> merged) {
    public Sources {
      lists = List.copyOf(lists);
      knownGood = List.copyOf(knownGood);
      merged = List.copyOf(merged);
    }
  }

  /**
   * Distinct keys that must never hit.
   *
   * @param keys all of them
   * @param listed those that are listed too, and were left out of the filter
   */
  public record KnownGood(long keys, long listed) {
    static final KnownGood NONE = new KnownGood(0, 0);
  }

  /** All lists, those of known-good keys last. */
  public List<ListReport> allLists() {
    return Stream.concat(sources.lists.stream(), sources.knownGood.stream()).toList();
  }

  /** The object of {@code filter inspect}, and what only the build knows. */
  public JsonObject toJson() {
    return filter
        .members()
        .put("measured_fpp", measuredRate)
        .put("probes", probes)
        .put("keys", sum(ListReport::keys))
        .put("exceptions", sum(ListReport::exceptions))
        .put("invalid", sum(list -> list.totals().invalid()))
        .put("known_good", knownGood.keys)
        .put("listed_known_good", knownGood.listed)
        .put("seconds", Math.round(nanos / NANOS * 1000) / 1000.0)
        .put("lists", array(sources.lists))
        .put("known_good_lists", array(sources.knownGood))
        .put("merged", JsonValue.ofStrings(sources.merged.stream().map(Path::toString).toList()))
        .build();
  }

  private long sum(ToLongFunction<ListReport> count) {
    return sources.lists.stream().mapToLong(count).sum();
  }

  private static JsonValue array(List<ListReport> lists) {
    return new JsonArray(lists.stream().map(list -> (JsonValue) list.toJson()).toList());
  }
}
