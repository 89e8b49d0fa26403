package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.kinds.FillEstimate;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter estimate}: how many distinct keys a filter holds, by how full it is, and
 * how many of them another one holds too. Pure but for the files that it reads.
 */
public final class FilterEstimate {

  private FilterEstimate() {}

  /**
   * Reads and estimates; one object.
   *
   * @param other of the same kind, size and seed, or {@code null}
   * @throws OfflineException when a file cannot be read, or its kind shows no fill, or they differ
   */
  public static JsonObject of(Path file, @Nullable Path other, WorkbenchTools means)
      throws OfflineException {
    LoadedFilter first = LoadedFilter.read(file, means);
    FillEstimate one = estimate(first);
    if (other == null) {
      return side(first, one);
    }
    LoadedFilter second = LoadedFilter.read(other, means);
    FillEstimate two = estimate(second);
    try {
      FillEstimate both = FilterMerge.overlap(first.file(), second.file());
      double union = one.keys() + two.keys() - both.keys();
      return JsonValue.object()
          .put("a", side(first, one))
          .put("b", side(second, two))
          .put("both", LoadedFilter.whole(both.keys()))
          .put("deviation", LoadedFilter.whole(both.deviation()))
          .put("either", LoadedFilter.whole(union))
          .put("similarity", union > 0 ? both.keys() / union : 0)
          .build();
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, file + " and " + other + ": " + e.getMessage(), "", e);
    }
  }

  private static FillEstimate estimate(LoadedFilter filter) throws OfflineException {
    return FillEstimate.of(filter.filter())
        .orElseThrow(() ->
            OfflineException.usage(
                "the fill of a filter of kind "
                    + filter.shape().kind().word()
                    + " does not show how many keys it holds",
                "its header counted " + filter.shape().entries() + " when it was made"));
  }

  private static JsonObject side(LoadedFilter filter, FillEstimate estimate) {
    return JsonValue.object()
        .put("file", filter.path().toString())
        .put("kind", filter.shape().kind().word())
        .put("entries", filter.shape().entries())
        .put("fill", filter.shape().fill())
        .put("estimated_keys", LoadedFilter.whole(estimate.keys()))
        .put("deviation", LoadedFilter.whole(estimate.deviation()))
        .build();
  }
}
