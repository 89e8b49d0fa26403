package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.kinds.FillEstimate;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter estimate}: how many distinct keys a filter holds, by how full it is, and
 * how many of them another one holds too. Immutable.
 *
 * @param second the other filter, and what both hold
 */
public record FilterEstimate(Side first, Optional<Second> second) {

  /** One of the filters. */
  public record Side(LoadedFilter filter, FillEstimate estimate) {
    JsonObject toJson() {
      return JsonValue.object()
          .put("file", filter.path().toString())
          .put("kind", filter.shape().kind().word())
          .put("entries", filter.shape().entries())
          .put("fill", filter.shape().fill())
          .put("estimated_keys", whole(estimate.keys()))
          .put("deviation", whole(estimate.deviation()))
          .build();
    }
  }

  /**
   * The other one.
   *
   * @param both keys that both hold
   */
  public record Second(Side side, FillEstimate both) {}

  /**
   * Reads and estimates.
   *
   * @param other of the same kind, size and seed, or {@code null}
   * @throws OfflineException when a file cannot be read, or its kind shows no fill, or they differ
   */
  public static FilterEstimate of(Path file, @Nullable Path other, WorkbenchTools means)
      throws OfflineException {
    Side first = side(file, means);
    if (other == null) {
      return new FilterEstimate(first, Optional.empty());
    }
    Side second = side(other, means);
    try {
      FillEstimate both = FilterMerge.overlap(first.filter.file(), second.filter.file());
      return new FilterEstimate(first, Optional.of(new Second(second, both)));
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, file + " and " + other + ": " + e.getMessage(), "", e);
    }
  }

  private static Side side(Path file, WorkbenchTools means) throws OfflineException {
    LoadedFilter filter = LoadedFilter.read(file, means);
    Optional<FillEstimate> estimate = FillEstimate.of(filter.filter());
    if (estimate.isEmpty()) {
      throw new OfflineException(
          Kind.USAGE,
          "the fill of a filter of kind "
              + filter.shape().kind().word()
              + " does not show how many keys it holds",
          "its header counted " + filter.shape().entries() + " when it was made");
    }
    return new Side(filter, estimate.get());
  }

  /** One object. */
  public JsonObject toJson() {
    if (second.isEmpty()) {
      return first.toJson();
    }
    double both = second.get().both.keys();
    double union = first.estimate.keys() + second.get().side.estimate.keys() - both;
    return JsonValue.object()
        .put("a", first.toJson())
        .put("b", second.get().side.toJson())
        .put("both", whole(both))
        .put("deviation", whole(second.get().both.deviation()))
        .put("either", whole(union))
        .put("similarity", union > 0 ? both / union : 0)
        .build();
  }

  /** A number of keys; null when the filter is so full that there may be any number. */
  static JsonValue whole(double number) {
    return Double.isFinite(number)
        ? new JsonValue.JsonNumber(Long.toString(Math.round(number)))
        : JsonValue.NULL;
  }
}
