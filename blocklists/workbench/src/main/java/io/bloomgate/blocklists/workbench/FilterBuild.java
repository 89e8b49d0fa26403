package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterKinds;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.filter.kinds.FilterRequest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter build}, {@code filter merge} and {@code filter intersect}: from list
 * files, or from several filter files, to one filter file. Used for one build, on one thread that
 * has the help of all cores.
 */
public final class FilterBuild {

  /** The rate of false positives that the settings have by default. */
  private static final double USUAL_RATE = 0.001;

  /** Keys that all cores hash together. */
  private static final int BATCH = 1 << 15;

  /**
   * The filter that is wanted; what is {@code null} was not asked for. Immutable.
   *
   * @param bitsPerEntry size of a classic filter
   * @param like another filter, of which kind, size, rate and seed are taken
   * @param entries keys that it is made for, when they are more than those of the lists
   */
  public record Plan(
      @Nullable FilterKind kind,
      @Nullable Double rate,
      @Nullable Double bitsPerEntry,
      @Nullable Path like,
      long entries) {

    /** Nothing was asked for. */
    public static final Plan USUAL = new Plan(null, null, null, null, 0);
  }

  /**
   * The request for a build.
   *
   * @param files lists, of which one may be {@code -}, or else filters, which are merged
   * @param format of the lists, {@code null} to find it for each
   * @param anyText true when each line of the lists is a key
   * @param knownGood lists of keys that must never hit; for a cascade, and only for one
   */
  public record Request(
      List<Path> files,
      Path target,
      @Nullable String format,
      boolean anyText,
      Plan plan,
      List<Path> knownGood) {}

  /** The way in which filters are joined. */
  public enum Operation {
    MERGE("merged"),
    INTERSECT("intersected");

    private final String word;

    Operation(String word) {
      this.word = word;
    }
  }

  /**
   * The result. Immutable.
   *
   * @param filter as it is on disk
   * @param json the object of {@code filter inspect}, and what only this work knows
   * @param lists what was read of each list, of those of known-good keys too; none for a join
   * @param listed keys that must never hit, are listed too, and were left out of the filter
   */
  public record Report(
      LoadedFilter filter, JsonObject json, List<ListReader.Report> lists, long listed) {}

  private final WorkbenchTools means;
  private final RandomGenerator randomness;
  private final InputStream in;
  private final long start;

  public FilterBuild(WorkbenchTools means, InputStream in) {
    this.means = means;
    this.randomness = means.randomness().get();
    this.in = in;
    this.start = means.nanoTime().getAsLong();
  }

  /** Builds the filter, proves that it holds what it must, and writes it, or nothing. */
  public Report run(Request request) throws OfflineException {
    FilterFiles.Target target = new FilterFiles.Target(request.target);
    long fromInput =
        Stream.concat(request.files.stream(), request.knownGood.stream())
            .filter(ListReader::isStandardInput)
            .count();
    OfflineException.refuseIf(
        fromInput > 1, "standard input can be read once only", "give - for one of the lists");
    if (areFilters(request.files)) {
      OfflineException.refuseIf(
          !request.plan.equals(Plan.USUAL)
              || request.format != null
              || request.anyText
              || !request.knownGood.isEmpty(),
          "these files are filters, and a merge has their kind, size, rate and seed",
          "give no other option than -o");
      return join(Operation.MERGE, request.files, request.target);
    }
    try {
      return build(request, target);
    } catch (FilterBuildException e) {
      throw OfflineException.usage(String.valueOf(e.getMessage()), "");
    } catch (UncheckedIOException e) {
      throw FilterFiles.unwritable(target.folder(), Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw FilterFiles.unwritable(target.folder(), e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  /** All or none. */
  private static boolean areFilters(List<Path> files) throws OfflineException {
    @Nullable Path list = null;
    @Nullable Path filter = null;
    for (Path file : files) {
      if (ListReader.isStandardInput(file) || !FilterFiles.isReadableFilter(file)) {
        list = file;
      } else {
        filter = file;
      }
    }
    OfflineException.refuseIf(
        list != null && filter != null,
        filter + " is a filter and " + list + " is none",
        "build a filter of the lists with --like, then merge the two filters");
    return filter != null;
  }

  private Report build(Request request, FilterFiles.Target target)
      throws OfflineException, FilterBuildException, IOException {
    Path like = request.plan.like;
    @Nullable LoadedFilter model = like == null ? null : LoadedFilter.read(like, means);
    FilterKind kind = kind(request, model);
    boolean cascade = kind == FilterKind.CASCADE;
    OfflineException.refuseIf(
        cascade == request.knownGood.isEmpty(),
        cascade
            ? "a cascade is made against known-good keys"
            : "a filter of kind " + kind.word() + " knows no known-good keys",
        cascade ? "name their lists with --good" : "ask for --kind cascade");
    Key.Hashes hashes =
        model == null
            ? Key.Hashes.fresh(KeyHash.VERSION, request.anyText, randomness)
            : model.hashes();
    OfflineException.refuseIf(
        request.anyText && !hashes.anyText(),
        like + " has keys of mail and no other texts",
        "leave --as out");
    ListReader reader = new ListReader(request.format, hashes.anyText());
    try (DistinctHashes all = new DistinctHashes(target.folder(), means.mostHeld());
        DistinctHashes good = new DistinctHashes(target.folder(), means.mostHeld())) {
      List<ListReader.Report> lists = read(request.files, request, reader, hashes, all);
      OfflineException.refuseIf(
          all.count() > WorkbenchTools.MOST_BUILT,
          "a filter takes at most " + WorkbenchTools.MOST_BUILT + " distinct keys",
          "make several filters");
      List<ListReader.Report> goodLists = read(request.knownGood, request, reader, hashes, good);
      HashSource listed = good.count() == 0 ? all : all.without(good);
      MembershipFilter filter = make(kind, request.plan, model, listed, good);
      prove(filter, listed, good);
      JsonValue.ObjectBuilder measured = measured(filter);
      LoadedFilter written = target.write(filter, hashes.keying());
      long left = good.count() == 0 ? 0 : all.count() - listed.count();
      JsonObject json =
          written
              .members()
              .putAll(measured.build())
              .put("keys", sum(lists, ListReader.Report::keys))
              .put("exceptions", sum(lists, ListReader.Report::exceptions))
              .put("invalid", sum(lists, list -> list.totals().invalid()))
              .put("known_good", good.count())
              .put("listed_known_good", left)
              .put("seconds", means.secondsSince(start))
              .put("lists", shown(lists))
              .put("known_good_lists", shown(goodLists))
              .put(Operation.MERGE.word, JsonValue.ofStrings(List.of()))
              .build();
      return new Report(
          written, json, Stream.concat(lists.stream(), goodLists.stream()).toList(), left);
    }
  }

  private static long sum(List<ListReader.Report> lists, ToLongFunction<ListReader.Report> count) {
    return lists.stream().mapToLong(count).sum();
  }

  private static JsonValue shown(List<ListReader.Report> lists) {
    return JsonRecords.ofAll(lists.stream().map(ListReader.Report::shown).toList());
  }

  /** The ratio of false positives among random hashes. */
  private JsonValue.ObjectBuilder measured(MembershipFilter filter) {
    double rate = new FilterComparison.Measurement(randomness, means.probes()).rate(filter);
    return JsonValue.object().put("measured_fpp", rate).put("probes", means.probes());
  }

  private static FilterKind kind(Request request, @Nullable LoadedFilter model) {
    FilterKind asked = request.plan.kind;
    if (model != null) {
      return model.shape().kind();
    }
    if (request.plan.bitsPerEntry != null) {
      return FilterKind.CLASSIC;
    }
    return asked != null
        ? asked
        : request.knownGood.isEmpty() ? FilterKind.SPLIT_BLOCK : FilterKind.CASCADE;
  }

  private static MembershipFilter make(
      FilterKind kind, Plan plan, @Nullable LoadedFilter model, HashSource listed, HashSource good)
      throws FilterBuildException {
    long capacity = Math.max(listed.count(), plan.entries);
    if (plan.bitsPerEntry != null) {
      return FilterKinds.classicByBitsPerEntry(capacity, plan.bitsPerEntry, listed);
    }
    if (model == null) {
      double usual = Math.max(USUAL_RATE, FilterKinds.lowestRate(kind));
      double rate = plan.rate == null ? usual : plan.rate;
      return FilterKinds.build(kind, new FilterRequest(capacity, rate, good), listed);
    }
    return switch (kind) {
      // Kinds that are frozen around their entries are never merged.
      case FUSE8, FUSE16, CASCADE ->
          FilterKinds.build(
              kind, new FilterRequest(capacity, model.shape().askedRate(), good), listed);
      case SPLIT_BLOCK, CLASSIC, COUNTING, SCALABLE, SCALABLE_COUNTING, CUCKOO ->
          FilterKinds.buildLike(model.filter(), listed);
    };
  }

  private List<ListReader.Report> read(
      List<Path> files, Request request, ListReader reader, Key.Hashes hashes, DistinctHashes into)
      throws OfflineException, IOException {
    List<ListReader.Report> reports = new ArrayList<>();
    List<Key> batch = new ArrayList<>();
    Consumer<Key> taker =
        key -> {
          batch.add(key);
          if (batch.size() == BATCH) {
            flush(batch, hashes, into);
          }
        };
    for (Path file : files) {
      reports.add(
          ListReader.isStandardInput(file)
              ? reader.read(in, request.target, taker)
              : reader.read(file, taker));
    }
    flush(batch, hashes, into);
    return reports;
  }

  private static void flush(List<Key> batch, Key.Hashes hashes, DistinctHashes into) {
    for (long hash : batch.parallelStream().mapToLong(hashes::hash).toArray()) {
      into.accept(hash);
    }
    batch.clear();
  }

  /**
   * A filter that misses a listed key, or a cascade that hits a known-good one, is never written.
   */
  private static void prove(MembershipFilter filter, HashSource listed, HashSource good)
      throws OfflineException {
    long wrong = listed.count() - hits(filter, listed) + hits(filter, good);
    if (wrong != 0) {
      throw OfflineException.failed(
          "the filter answers wrongly for " + wrong + " of its keys and was not written",
          "this is a mistake of the program, please report it");
    }
  }

  private static long hits(MembershipFilter filter, HashSource hashes) {
    return hashes.parts().parallelStream()
        .mapToLong(part -> {
          long[] hits = {0};
          part.forEach(hash -> hits[0] += filter.probe(hash));
          return hits[0];
        })
        .sum();
  }

  /** Joins filters of one kind, size and seed, at least one, into a further one. */
  public Report join(Operation operation, List<Path> files, Path target) throws OfflineException {
    FilterFiles.Target place = new FilterFiles.Target(target);
    FilterFile sum = LoadedFilter.read(files.getFirst(), means).file();
    for (Path file : files.subList(1, files.size())) {
      FilterFile next = LoadedFilter.read(file, means).file();
      try {
        MembershipFilter joined =
            operation == Operation.MERGE ? FilterMerge.or(sum, next) : FilterMerge.and(sum, next);
        // The joined filter is in no file yet.
        sum = new FilterFile(joined, sum.keying(), sum.digest());
      } catch (FilterBuildException e) {
        throw OfflineException.usage(files.getFirst() + " and " + file + ": " + e.getMessage(), "");
      } catch (OutOfMemoryError e) {
        throw means.tooLarge("this filter");
      }
    }
    JsonValue.ObjectBuilder measured = measured(sum.filter());
    LoadedFilter written = place.write(sum.filter(), sum.keying());
    JsonValue paths = JsonValue.ofStrings(files.stream().map(Path::toString).toList());
    JsonObject json = written.members().putAll(measured.build()).put(operation.word, paths).build();
    return new Report(written, json, List.of(), 0);
  }
}
