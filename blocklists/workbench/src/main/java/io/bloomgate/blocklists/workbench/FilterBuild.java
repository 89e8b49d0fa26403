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
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
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
      List<Path> knownGood) {
    public Request {
      files = List.copyOf(files);
      knownGood = List.copyOf(knownGood);
    }
  }

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
   * @param measuredRate ratio of false positives among {@code probes} random hashes
   * @param lists what was read of each list, and of those of known-good keys; none for a merge
   * @param knownGood distinct keys that must never hit
   * @param listed those of them that are listed too, and were left out of the filter
   * @param joined the filters that were joined; none for a build from lists
   * @param nanos time of the whole work
   */
  public record Report(
      LoadedFilter filter,
      int probes,
      double measuredRate,
      List<ListReader.Report> lists,
      List<ListReader.Report> goodLists,
      long knownGood,
      long listed,
      List<Path> joined,
      long nanos) {

    /** All lists, those of known-good keys last. */
    public List<ListReader.Report> allLists() {
      return Stream.concat(lists.stream(), goodLists.stream()).toList();
    }

    /** The object of {@code filter inspect}, and what only the build knows. */
    public JsonObject toJson() {
      return measured()
          .put("keys", sum(ListReader.Report::keys))
          .put("exceptions", sum(ListReader.Report::exceptions))
          .put("invalid", sum(list -> list.totals().invalid()))
          .put("known_good", knownGood)
          .put("listed_known_good", listed)
          .put("seconds", Math.round(nanos / 1e6) / 1e3)
          .put("lists", JsonRecords.ofAll(lists.stream().map(ListReader.Report::shown).toList()))
          .put(
              "known_good_lists",
              JsonRecords.ofAll(goodLists.stream().map(ListReader.Report::shown).toList()))
          .put(Operation.MERGE.word, paths())
          .build();
    }

    /** The same of a join, without what it has not. */
    public JsonObject toJson(Operation operation) {
      return measured().put(operation.word, paths()).build();
    }

    private JsonValue.ObjectBuilder measured() {
      return filter.members().put("measured_fpp", measuredRate).put("probes", probes);
    }

    private JsonValue paths() {
      return JsonValue.ofStrings(joined.stream().map(Path::toString).toList());
    }

    private long sum(ToLongFunction<ListReader.Report> count) {
      return lists.stream().mapToLong(count).sum();
    }
  }

  private final WorkbenchTools means;
  private final RandomGenerator randomness;
  private final InputStream in;

  public FilterBuild(WorkbenchTools means, InputStream in) {
    this.means = means;
    this.randomness = means.randomness().get();
    this.in = in;
  }

  /** Builds the filter, proves that it holds what it must, and writes it, or nothing. */
  public Report run(Request request) throws OfflineException {
    long start = means.nanoTime().getAsLong();
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
      return build(request, target, start);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    } catch (UncheckedIOException e) {
      throw FilterFiles.unwritable(target.folder(), Objects.requireNonNull(e.getCause()));
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  /** All or none. */
  private static boolean areFilters(List<Path> files) throws OfflineException {
    @Nullable Path list = null;
    @Nullable Path filter = null;
    for (Path file : files) {
      if (!ListReader.isStandardInput(file)) {
        FilterFiles.requireReadable(file);
      }
      if (!ListReader.isStandardInput(file) && FilterFiles.Target.isFilter(file)) {
        filter = file;
      } else {
        list = file;
      }
    }
    OfflineException.refuseIf(
        list != null && filter != null,
        filter + " is a filter and " + list + " is none",
        "build a filter of the lists with --like, then merge the two filters");
    return filter != null;
  }

  private Report build(Request request, FilterFiles.Target target, long start)
      throws OfflineException, FilterBuildException {
    Plan plan = request.plan;
    Path like = plan.like;
    @Nullable LoadedFilter model = like == null ? null : LoadedFilter.read(like, means);
    FilterKind kind = kind(request, model);
    OfflineException.refuseIf(
        (kind == FilterKind.CASCADE) == request.knownGood.isEmpty(),
        kind == FilterKind.CASCADE
            ? "a cascade is made against known-good keys"
            : "a filter of kind " + kind.word() + " knows no known-good keys",
        kind == FilterKind.CASCADE ? "name their lists with --good" : "ask for --kind cascade");
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
      MembershipFilter filter = make(kind, plan, model, listed, good);
      prove(filter, listed, good);
      double rate = new FilterComparison.Measurement(randomness, means.probes()).rate(filter);
      return new Report(
          target.write(filter, hashes.keying()),
          means.probes(),
          rate,
          lists,
          goodLists,
          good.count(),
          good.count() == 0 ? 0 : all.count() - listed.count(),
          List.of(),
          means.nanoTime().getAsLong() - start);
    } catch (IOException e) {
      throw FilterFiles.unwritable(target.folder(), e);
    }
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
    if (model != null) {
      return switch (kind) {
        // Kinds that are frozen around their entries are never merged.
        case FUSE8, FUSE16, CASCADE ->
            FilterKinds.build(
                kind, new FilterRequest(capacity, model.shape().askedRate(), good), listed);
        case SPLIT_BLOCK, CLASSIC, COUNTING, SCALABLE, SCALABLE_COUNTING, CUCKOO ->
            FilterKinds.buildLike(model.filter(), listed);
      };
    }
    if (plan.bitsPerEntry != null) {
      return FilterKinds.classicByBitsPerEntry(capacity, plan.bitsPerEntry, listed);
    }
    double rate =
        plan.rate == null ? Math.max(USUAL_RATE, FilterKinds.lowestRate(kind)) : plan.rate;
    return FilterKinds.build(kind, new FilterRequest(capacity, rate, good), listed);
  }

  private List<ListReader.Report> read(
      List<Path> files, Request request, ListReader reader, Key.Hashes hashes, DistinctHashes into)
      throws OfflineException, IOException {
    List<ListReader.Report> reports = new ArrayList<>();
    List<Key> batch = new ArrayList<>();
    for (Path file : files) {
      Consumer<Key> taker = key -> take(key, batch, hashes, into);
      reports.add(
          ListReader.isStandardInput(file)
              ? reader.read(in, request.target, taker)
              : reader.read(file, taker));
    }
    flush(batch, hashes, into);
    return reports;
  }

  private static void take(Key key, List<Key> batch, Key.Hashes hashes, DistinctHashes into) {
    batch.add(key);
    if (batch.size() == BATCH) {
      flush(batch, hashes, into);
    }
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
    long start = means.nanoTime().getAsLong();
    FilterFiles.Target place = new FilterFiles.Target(target);
    FilterFile sum = LoadedFilter.read(files.getFirst(), means).file();
    for (Path file : files.subList(1, files.size())) {
      FilterFile next = LoadedFilter.read(file, means).file();
      try {
        MembershipFilter joined =
            switch (operation) {
              case MERGE -> FilterMerge.or(sum, next);
              case INTERSECT -> FilterMerge.and(sum, next);
            };
        // The joined filter is in no file yet.
        sum = new FilterFile(joined, sum.keying(), sum.digest());
      } catch (FilterBuildException e) {
        throw new OfflineException(
            Kind.USAGE, files.getFirst() + " and " + file + ": " + e.getMessage(), "", e);
      } catch (OutOfMemoryError e) {
        throw means.tooLarge("this filter");
      }
    }
    double rate = new FilterComparison.Measurement(randomness, means.probes()).rate(sum.filter());
    return new Report(
        place.write(sum.filter(), sum.keying()),
        means.probes(),
        rate,
        List.of(),
        List.of(),
        0,
        0,
        files,
        means.nanoTime().getAsLong() - start);
  }
}
