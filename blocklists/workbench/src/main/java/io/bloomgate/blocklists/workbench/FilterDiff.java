package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.workbench.LoadedFilter.Distinct;
import java.io.IOException;
import java.io.UncheckedIOException;
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
 * @param missing those that the filter certainly does not hold
 * @param entries of the filter
 * @param estimated true where their number is
 * @param onlyInFilter entries that the list lacks, about; 0 when chance explains them
 */
public record FilterDiff(
    String filter,
    String list,
    long keys,
    long invalid,
    long distinct,
    long inside,
    long missing,
    long entries,
    boolean estimated,
    long onlyInFilter,
    double expectedFpp) {

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
    MembershipFilter asked = loaded.filter();
    KeyHashes hashes = loaded.hashes();
    try (DistinctHashes all = new DistinctHashes(means.folder(), means.mostHeld())) {
      ListReport report =
          new ListReader(format, hashes.anyText())
              .read(
                  list,
                  key -> {
                    long hash = hashes.hash(key);
                    all.accept(hash);
                    if (asked.probe(hash) == 0) {
                      missing.accept(key.text());
                    }
                  });
      long[] inside = {0};
      all.forEach(hash -> inside[0] += asked.probe(hash));
      Distinct entries = loaded.distinct();
      double rate = asked.expectedRate();
      double really = rate < 1 ? (inside[0] - all.count() * rate) / (1 - rate) : 0;
      long more = Math.round(entries.count() - Math.max(0, really));
      return new FilterDiff(
          filter.toString(),
          report.source(),
          report.keys(),
          report.totals().invalid(),
          all.count(),
          inside[0],
          all.count() - inside[0],
          entries.count(),
          entries.estimated(),
          more <= entries.margin() ? 0 : more,
          rate);
    } catch (IOException e) {
      throw InputFiles.unwritable(means.folder(), e);
    } catch (UncheckedIOException e) {
      throw InputFiles.unwritable(means.folder(), new IOException(e));
    }
  }

  /** True when nothing shows a difference. */
  public boolean alike() {
    return missing == 0 && onlyInFilter == 0;
  }
}
