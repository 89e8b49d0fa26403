package io.bloomgate.blocklists.offline;

import io.bloomgate.blocklists.feed.FeedFormat;
import io.bloomgate.blocklists.file.Keying;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFactory;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.FilterMerge;
import io.bloomgate.blocklists.filter.FilterRequest;
import io.bloomgate.blocklists.filter.FilterShape;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.key.KeyHash;
import io.bloomgate.blocklists.offline.OfflineException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter build}: from list files to a filter file, or from several filter files to
 * the one that holds what any of them holds. Used for one build.
 */
public final class FilterBuild {

  /**
   * What is to be built.
   *
   * @param files lists, or else filters of equal shape and seed, which are merged
   * @param target where the filter goes
   * @param format of the lists, {@code null} to find it for each
   * @param plan what filter; not looked at in a merge
   * @param knownGood lists of keys that must never hit; for a cascade only
   */
  public record Request(
      List<Path> files,
      Path target,
      @Nullable String format,
      FilterPlan plan,
      List<Path> knownGood) {
    public Request {
      files = List.copyOf(files);
      knownGood = List.copyOf(knownGood);
    }
  }

  /** What a filter is made of, and what was read for it. */
  private record Input(
      List<ListReport> lists, DistinctHashes listed, DistinctHashes knownGood, long both) {}

  /** Makes the filter once everything is read. */
  @FunctionalInterface
  private interface Maker {
    MembershipFilter make(Input input) throws FilterBuildException;
  }

  /** How a plan is carried out. */
  private record Recipe(Keying keying, KeyHash hash, Maker maker) {}

  private final Means means;
  private final RandomGenerator randomness;

  /** A build with these means. */
  public FilterBuild(Means means) {
    this.means = means;
    this.randomness = means.randomness().get();
  }

  /**
   * Builds the filter, proves that it holds what it must, and writes it.
   *
   * @throws OfflineException when it cannot be built as asked; then nothing was written
   */
  public FilterBuildReport run(Request request) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    FilterTarget target = new FilterTarget(request.target());
    try {
      return areFilters(request.files())
          ? merge(request.files(), target, start)
          : build(request, target, start);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  /** All or none. */
  private static boolean areFilters(List<Path> files) throws OfflineException {
    @Nullable Path list = null;
    @Nullable Path filter = null;
    for (Path file : files) {
      InputFiles.requireReadable(file);
      if (FilterTarget.isFilter(file)) {
        filter = file;
      } else {
        list = file;
      }
    }
    if (list != null && filter != null) {
      throw new OfflineException(
          Kind.USAGE,
          filter + " is a filter and " + list + " is none",
          "build a filter of the lists with --like, then merge the two filters");
    }
    return filter != null;
  }

  private FilterBuildReport merge(List<Path> files, FilterTarget target, long start)
      throws OfflineException, FilterBuildException {
    FilterFile sum = LoadedFilter.read(files.getFirst(), means).file();
    for (Path file : files.subList(1, files.size())) {
      LoadedFilter next = LoadedFilter.read(file, means);
      try {
        sum = with(FilterMerge.or(sum, next.file()), sum);
      } catch (FilterBuildException e) {
        throw new FilterBuildException(files.getFirst() + " and " + file + ": " + e.getMessage());
      }
    }
    double rate = new Measurement(randomness).rate(sum.filter());
    LoadedFilter written = target.write(sum.filter(), sum.keying());
    return new FilterBuildReport(written, rate, List.of(), files, 0, 0, since(start));
  }

  private static FilterFile with(MembershipFilter filter, FilterFile old) {
    return new FilterFile(filter, old.version(), old.keying(), old.digest());
  }

  private FilterBuildReport build(Request request, FilterTarget target, long start)
      throws OfflineException, FilterBuildException {
    Recipe recipe = recipe(request.plan());
    Input input = read(request, ListReader.format(request.format()), recipe.hash);
    MembershipFilter filter = recipe.maker.make(input);
    prove(filter, input);
    double rate = new Measurement(randomness).rate(filter);
    LoadedFilter written = target.write(filter, recipe.keying);
    return new FilterBuildReport(
        written, rate, input.lists, List.of(), input.knownGood.size(), input.both, since(start));
  }

  private Recipe recipe(FilterPlan plan) throws OfflineException {
    return switch (plan) {
      case FilterPlan.Rated(FilterKind kind, double rate) ->
          fresh(input -> FilterFactory.build(kind, request(input, rate), input.listed));
      case FilterPlan.Sized(double bits) ->
          fresh(input ->
              FilterFactory.classicByBitsPerEntry(input.listed.size(), bits, input.listed));
      case FilterPlan.Like(Path path) -> {
        LoadedFilter model = LoadedFilter.read(path, means);
        yield new Recipe(model.file().keying(), model.hash(), input -> like(model, input));
      }
    };
  }

  private Recipe fresh(Maker maker) {
    Keying keying =
        new Keying(
            KeyHash.VERSION,
            KeyHash.NORMALISATION_VERSION,
            randomness.nextLong(),
            randomness.nextLong());
    return new Recipe(keying, new KeyHash(keying.seedHigh(), keying.seedLow()), maker);
  }

  private Input read(Request request, @Nullable FeedFormat format, KeyHash hash)
      throws OfflineException {
    ListReader reader = new ListReader(format);
    List<ListReport> lists = new ArrayList<>();
    DistinctHashes listed = read(request.files(), reader, hash, lists);
    DistinctHashes knownGood = read(request.knownGood(), reader, hash, lists);
    DistinctHashes rest = knownGood.size() == 0 ? listed : listed.without(knownGood);
    return new Input(lists, rest, knownGood, listed.size() - rest.size());
  }

  private DistinctHashes read(
      List<Path> files, ListReader reader, KeyHash hash, List<ListReport> reports)
      throws OfflineException {
    HashCollector hashes = new HashCollector(means.mostEntries());
    for (Path file : files) {
      reports.add(reader.read(file, entry -> hashes.accept(ProbeKey.hash(hash, entry))));
    }
    if (hashes.overfull()) {
      throw means.tooLarge(
          "a filter of more than %,d distinct keys".formatted(means.mostEntries()));
    }
    return hashes.distinct();
  }

  private static FilterRequest request(Input input, double rate) {
    return new FilterRequest(input.listed.size(), rate, input.knownGood);
  }

  /** Kinds that are frozen around their entries are never merged: they take kind, rate and seed. */
  private static MembershipFilter like(LoadedFilter model, Input input)
      throws FilterBuildException {
    FilterShape shape = model.shape();
    return switch (shape.kind()) {
      case FUSE8, FUSE16, CASCADE ->
          FilterFactory.build(shape.kind(), request(input, shape.askedRate()), input.listed);
      case SPLIT_BLOCK, CLASSIC, COUNTING, SCALABLE, SCALABLE_COUNTING, CUCKOO ->
          FilterFactory.buildLike(model.filter(), input.listed);
    };
  }

  /**
   * A filter that misses a listed key, or a cascade that hits a known-good one, is never written.
   */
  private static void prove(MembershipFilter filter, Input input) throws OfflineException {
    long[] wrong = {0};
    input.listed.forEach(hash -> wrong[0] += 1 - filter.probe(hash));
    input.knownGood.forEach(hash -> wrong[0] += filter.probe(hash));
    if (wrong[0] > 0) {
      throw new OfflineException(
          Kind.FAILED,
          "the filter answers wrongly for " + wrong[0] + " of its own keys and was not written",
          "this is a mistake of the program, please report it");
    }
  }

  private long since(long start) {
    return means.nanoTime().getAsLong() - start;
  }
}
