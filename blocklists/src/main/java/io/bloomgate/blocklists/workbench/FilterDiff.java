package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter diff}: a filter beside a list. The keys of the list that the filter does
 * not hold are certain and named; a filter cannot name the keys that it holds, so those that the
 * list lacks are counted only: entries of the filter less the keys of the list that are inside,
 * false positives among these taken off. Immutable.
 *
 * @param distinct keys of the list, each once
 * @param inside those of them for which the filter says maybe
 */
public record FilterDiff(LoadedFilter filter, ListReport list, long distinct, long inside) {

  /**
   * Reads both.
   *
   * @param format of the list, {@code null} to find it
   * @param missing takes each key that is certainly not in the filter, in the order of the list
   */
  public static FilterDiff of(
      Path filter,
      Path list,
      @Nullable String format,
      WorkbenchTools means,
      Consumer<String> missing)
      throws OfflineException {
    LoadedFilter loaded = LoadedFilter.read(filter, means);
    SubjectHash hash = loaded.hash();
    HashCollector all = new HashCollector(means.mostHeld());
    ListReport report =
        new ListReader(ListReader.format(format))
            .read(list, entry -> take(entry, loaded, hash, all, missing));
    if (all.overfull()) {
      throw means.tooLarge("a list of more than " + means.mostHeld() + " distinct keys");
    }
    HashCollector.DistinctHashes distinct = all.distinct();
    long[] inside = {0};
    distinct.forEach(key -> inside[0] += loaded.filter().probe(key));
    return new FilterDiff(loaded, report, distinct.count(), inside[0]);
  }

  private static void take(
      ListEntry entry,
      LoadedFilter filter,
      SubjectHash hash,
      HashCollector all,
      Consumer<String> missing) {
    long key = hash.subject(entry.subject());
    all.accept(key);
    if (filter.filter().probe(key) == 0) {
      missing.accept(entry.subject().toString());
    }
  }

  /** Distinct keys of the list that the filter certainly does not hold. */
  public long missing() {
    return distinct - inside;
  }

  /**
   * The number of entries of the filter that the list lacks, about; 0 when chance explains them.
   */
  public long onlyInFilter() {
    DistinctEntries entries = DistinctEntries.of(filter);
    double rate = filter.filter().expectedRate();
    double really = rate < 1 ? (inside - distinct * rate) / (1 - rate) : 0;
    long more = Math.round(entries.count() - Math.max(0, really));
    return more <= entries.margin() ? 0 : more;
  }

  /** True when nothing shows a difference. */
  public boolean alike() {
    return missing() == 0 && onlyInFilter() == 0;
  }

  /** One object, without the keys. */
  public JsonObject toJson() {
    DistinctEntries entries = DistinctEntries.of(filter);
    return JsonValue.object()
        .put("filter", filter.path().toString())
        .put("list", list.source())
        .put("keys", list.keys())
        .put("invalid", list.totals().invalid())
        .put("distinct", distinct)
        .put("inside", inside)
        .put("missing", missing())
        .put("entries", entries.count())
        .put("estimated", entries.estimated())
        .put("only_in_filter", onlyInFilter())
        .put("expected_fpp", filter.filter().expectedRate())
        .build();
  }
}
