package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.workbench.Measurement.Lookups;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter compare}: two filters side by side. Sizes and rates are theirs; lookup
 * times are those of this machine and of the command line's Java, good for a ratio only. Immutable.
 *
 * @param sameKeys both turn a key into the same hash, so that a random hash is the same unknown key
 *     for both
 * @param probes random hashes that both filters are asked
 * @param agreement share of random hashes for which both answer alike
 * @param onKeys how both answer for the keys of a list, where one was given
 */
public record FilterComparison(
    Side a, Side b, boolean sameKeys, int probes, double agreement, Optional<OnKeys> onKeys) {

  /** One of the two, and its random lookups. */
  public record Side(LoadedFilter filter, Lookups lookups) {
    JsonObject toJson() {
      return filter
          .members()
          .put("measured_fpp", lookups.rate())
          .put("lookup_ns", Math.round(lookups.nanos() * 10) / 10.0)
          .build();
    }
  }

  /**
   * Answers for the keys of a list, repeats included.
   *
   * @param file the list
   * @param both keys for which both say maybe
   * @param onlyA keys for which the first alone says maybe
   * @param onlyB keys for which the second alone says maybe
   * @param neither keys for which both say no
   */
  public record OnKeys(
      String file,
      long keys,
      long invalid,
      long both,
      long onlyA,
      long onlyB,
      long neither,
      double agreement) {

    /** True when both answer alike for every key. */
    public boolean alike() {
      return onlyA + onlyB == 0;
    }
  }

  /**
   * Loads and compares.
   *
   * @param keys a list in any format that a feed may have, or {@code null}
   * @param format of that list, {@code null} to find it
   */
  public static FilterComparison of(
      Path a, Path b, @Nullable Path keys, @Nullable String format, WorkbenchTools means)
      throws OfflineException {
    LoadedFilter first = LoadedFilter.read(a, means);
    LoadedFilter second = LoadedFilter.read(b, means);
    Optional<OnKeys> onKeys =
        keys == null ? Optional.empty() : Optional.of(onKeys(first, second, keys, format));
    Measurement measurement = new Measurement(means.randomness().get(), means.probes());
    List<Lookups> lookups =
        measurement.lookups(List.of(first.filter(), second.filter()), means.nanoTime());
    return new FilterComparison(
        new Side(first, lookups.getFirst()),
        new Side(second, lookups.getLast()),
        first.file().keying().equals(second.file().keying()),
        means.probes(),
        measurement.agreement(first.filter(), second.filter()),
        onKeys);
  }

  private static OnKeys onKeys(LoadedFilter a, LoadedFilter b, Path keys, @Nullable String format)
      throws OfflineException {
    KeyHashes hashA = a.hashes();
    KeyHashes hashB = b.hashes();
    OfflineException.refuseIf(
        hashA.anyText() != hashB.anyText(),
        "one of the two has keys of mail, the other any text",
        "");
    long[] counts = new long[4];
    ListReport list =
        new ListReader(format, hashA.anyText())
            .read(
                keys,
                key ->
                    counts[
                        2 * a.filter().probe(hashA.hash(key))
                            + b.filter().probe(hashB.hash(key))]++);
    return new OnKeys(
        list.source(),
        list.keys(),
        list.totals().invalid(),
        counts[3],
        counts[2],
        counts[1],
        counts[0],
        list.keys() == 0 ? 1 : (counts[3] + counts[0]) / (double) list.keys());
  }

  /** One object. */
  public JsonObject toJson() {
    return JsonValue.object()
        .put("a", a.toJson())
        .put("b", b.toJson())
        .put("same_seed", sameKeys)
        .put("probes", probes)
        .put("agreement", agreement)
        .put("on_keys", onKeys.map(k -> (JsonValue) JsonRecords.of(k)).orElse(JsonValue.NULL))
        .build();
  }
}
