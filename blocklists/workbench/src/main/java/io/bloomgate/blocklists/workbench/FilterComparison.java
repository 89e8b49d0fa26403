package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.SplitMix;
import io.bloomgate.blocklists.filter.kinds.FillEstimate;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.workbench.LoadedFilter.Distinct;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter compare}, {@code estimate} and {@code diff}: a filter beside another one,
 * or beside a list. On the thread of the command.
 *
 * <p>When two are compared, sizes and rates are theirs; lookup times are those of this machine and
 * of the command line's Java, good for a ratio only.
 */
public final class FilterComparison {

  private FilterComparison() {}

  /**
   * The answer of {@code compare}. Immutable.
   *
   * @param alike both answer alike for every key of the list, if one was given
   */
  public record Answer(JsonObject json, boolean alike) {}

  /**
   * Answers for the keys of a list, repeats included.
   *
   * @param file the list
   * @param both keys for which both say maybe
   * @param onlyA keys for which the first alone says maybe
   * @param onlyB keys for which the second alone says maybe
   * @param neither keys for which both say no
   */
  private record OnKeys(
      String file,
      long keys,
      long invalid,
      long both,
      long onlyA,
      long onlyB,
      long neither,
      double agreement) {}

  /**
   * Loads and compares.
   *
   * @param keys a list in any format that a feed may have, or {@code null}
   * @param format of that list, {@code null} to find it
   */
  public static Answer of(
      Path a, Path b, @Nullable Path keys, @Nullable String format, WorkbenchTools means)
      throws OfflineException {
    LoadedFilter first = LoadedFilter.read(a, means);
    LoadedFilter second = LoadedFilter.read(b, means);
    OnKeys onKeys = keys == null ? null : onKeys(first, second, keys, format);
    Measurement measurement = new Measurement(means.randomness().get(), means.probes());
    List<Measurement.Lookups> lookups =
        measurement.lookups(List.of(first.filter(), second.filter()), means.nanoTime());
    // With one keying a random hash is the same unknown key for both.
    JsonObject json =
        JsonValue.object()
            .put("a", side(first, lookups.getFirst()))
            .put("b", side(second, lookups.getLast()))
            .put("same_seed", first.file().keying().equals(second.file().keying()))
            .put("probes", means.probes())
            .put("agreement", measurement.agreement(first.filter(), second.filter()))
            .put("on_keys", onKeys == null ? JsonValue.NULL : JsonRecords.of(onKeys))
            .build();
    return new Answer(json, onKeys == null || onKeys.onlyA + onKeys.onlyB == 0);
  }

  private static JsonObject side(LoadedFilter filter, Measurement.Lookups lookups) {
    return filter
        .members()
        .put("measured_fpp", lookups.rate())
        .put("lookup_ns", Math.round(lookups.nanos() * 10) / 10.0)
        .build();
  }

  private static OnKeys onKeys(LoadedFilter a, LoadedFilter b, Path keys, @Nullable String format)
      throws OfflineException {
    Key.Hashes hashA = a.hashes();
    Key.Hashes hashB = b.hashes();
    OfflineException.refuseIf(
        hashA.anyText() != hashB.anyText(),
        "one of the two has keys of mail, the other any text",
        "");
    long[] counts = new long[4];
    ListReader.Report list =
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

  /**
   * Asks filters for random hashes. The hashes are those of keys that nobody listed: that one of
   * them is a listed key's happens once in 2^64 / entries. Used on one thread.
   */
  public static final class Measurement {

    /** Parts of a timing; the median of them forgives the first ones, which warm up. */
    private static final int ROUNDS = 11;

    /** The step of SplitMix64, which makes many numbers of one. */
    private static final long GAMMA = 0x9e3779b97f4a7c15L;

    private final long[] hashes;

    /**
     * Fresh hashes; randomness that is costly is asked once only.
     *
     * @param probes hashes that are asked
     */
    Measurement(RandomGenerator random, int probes) {
      hashes = new long[probes];
      long state = random.nextLong();
      for (int i = 0; i < probes; i++) {
        state += GAMMA;
        hashes[i] = SplitMix.mix(state);
      }
    }

    /**
     * The result of random lookups in a filter.
     *
     * @param rate ratio of false positives
     * @param nanos median time of a lookup, in nanoseconds
     */
    public record Lookups(double rate, double nanos) {}

    /** Ratio of false positives. */
    double rate(MembershipFilter filter) {
      return Arrays.stream(hashes).parallel().map(filter::probe).sum() / (double) hashes.length;
    }

    private long hits(MembershipFilter filter, int from, int to) {
      long hits = 0;
      for (int i = from; i < to; i++) {
        hits += filter.probe(hashes[i]);
      }
      return hits;
    }

    /** Share of the hashes for which both answer alike. */
    double agreement(MembershipFilter a, MembershipFilter b) {
      long alike = 0;
      for (long hash : hashes) {
        alike += 1 ^ a.probe(hash) ^ b.probe(hash);
      }
      return alike / (double) hashes.length;
    }

    /**
     * Asks all filters in turns, so that whatever else the machine does hits all of them. No hash
     * is asked twice of one filter, since its second lookup would find the memory in a cache.
     */
    List<Measurement.Lookups> lookups(List<MembershipFilter> filters, LongSupplier nanoTime) {
      double[][] nanos = new double[filters.size()][ROUNDS];
      long[] hits = new long[filters.size()];
      for (int round = 0; round < ROUNDS; round++) {
        int from = (int) ((long) hashes.length * round / ROUNDS);
        int to = (int) ((long) hashes.length * (round + 1) / ROUNDS);
        for (int i = 0; i < filters.size(); i++) {
          long start = nanoTime.getAsLong();
          hits[i] += hits(filters.get(i), from, to);
          nanos[i][round] = (nanoTime.getAsLong() - start) / (double) (to - from);
        }
      }
      return IntStream.range(0, filters.size())
          .mapToObj(i -> new Lookups(hits[i] / (double) hashes.length, median(nanos[i])))
          .toList();
    }

    private static double median(double[] values) {
      Arrays.sort(values);
      return values[values.length / 2];
    }
  }

  /**
   * {@code bloomgate filter estimate}: how many distinct keys a filter holds, by how full it is,
   * and how many of them another one holds too. Pure but for the files that it reads.
   */
  public static final class Estimate {

    private Estimate() {}

    /**
     * Reads and estimates; one object.
     *
     * @param other of the same kind, size and seed, or {@code null}
     * @throws OfflineException when a file cannot be read, or its kind shows no fill, or they
     *     differ
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
        throw new OfflineException(
            Kind.USAGE, file + " and " + other + ": " + e.getMessage(), "", e);
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

  /**
   * {@code bloomgate filter diff}: a filter beside a list. The keys of the list that the filter
   * does not hold are certain and named; a filter cannot name the keys that it holds, so those that
   * the list lacks are counted only: entries of the filter less the keys of the list that are
   * inside, false positives among these taken off. Immutable.
   *
   * @param distinct keys of the list, each once
   * @param inside those of them for which the filter says maybe
   * @param missing those that the filter certainly does not hold
   * @param entries of the filter
   * @param estimated true where their number is
   * @param onlyInFilter entries that the list lacks, about; 0 when chance explains them
   */
  public record Diff(
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
    public static Diff of(
        Path filter,
        Path list,
        @Nullable String format,
        WorkbenchTools means,
        Consumer<String> missing)
        throws OfflineException {
      LoadedFilter loaded = LoadedFilter.read(filter, means);
      MembershipFilter asked = loaded.filter();
      Key.Hashes hashes = loaded.hashes();
      try (DistinctHashes all = new DistinctHashes(means.folder(), means.mostHeld())) {
        ListReader.Report report =
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
        return new Diff(
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
        throw FilterFiles.unwritable(means.folder(), e);
      } catch (UncheckedIOException e) {
        throw FilterFiles.unwritable(means.folder(), new IOException(e));
      }
    }

    /** True when nothing shows a difference. */
    public boolean alike() {
      return missing == 0 && onlyInFilter == 0;
    }
  }
}
