package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.KeyHash;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
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
   * @param plan what filter; a merge leaves no choice
   * @param knownGood lists of keys that must never hit; for a cascade, and only for one
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

  private final WorkbenchTools means;
  private final RandomGenerator randomness;

  /** A build with these means. */
  public FilterBuild(WorkbenchTools means) {
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
          ? merge(request, target, start)
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

  private FilterBuildReport merge(Request request, FilterTarget target, long start)
      throws OfflineException, FilterBuildException {
    if (!request.plan().equals(new FilterPlan.Usual())
        || request.format() != null
        || !request.knownGood().isEmpty()) {
      throw new OfflineException(
          Kind.USAGE,
          "these files are filters, and a merge has their kind, size, rate and seed",
          "give no other option than -o");
    }
    List<Path> files = request.files();
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
    return new FilterBuildReport(
        target.write(sum.filter(), sum.keying()),
        rate,
        new FilterBuildReport.Sources(List.of(), List.of(), files),
        FilterBuildReport.KnownGood.NONE,
        since(start));
  }

  /** The merged filter so far, which is in no file yet. */
  private static FilterFile with(MembershipFilter filter, FilterFile old) {
    return new FilterFile(filter, old.version(), old.keying(), old.digest());
  }

  private FilterBuildReport build(Request request, FilterTarget target, long start)
      throws OfflineException, FilterBuildException {
    FilterRecipe recipe = FilterRecipe.of(request.plan(), means, randomness);
    boolean cascade = recipe.kind() == FilterKind.CASCADE;
    if (cascade == request.knownGood().isEmpty()) {
      throw cascade
          ? new OfflineException(
              Kind.USAGE,
              "a cascade is made against known-good keys",
              "name their lists with --known-good")
          : new OfflineException(
              Kind.USAGE,
              "a filter of kind " + recipe.kind().word() + " knows no known-good keys",
              "ask for --kind cascade");
    }
    ListReader reader = new ListReader(ListReader.format(request.format()));
    List<ListReport> lists = new ArrayList<>();
    List<ListReport> goodLists = new ArrayList<>();
    HashCollector.DistinctHashes all = read(request.files(), reader, recipe.hash(), lists);
    HashCollector.DistinctHashes good = read(request.knownGood(), reader, recipe.hash(), goodLists);
    HashCollector.DistinctHashes listed = good.size() == 0 ? all : all.without(good);
    MembershipFilter filter = recipe.maker().make(listed, good);
    prove(filter, listed, good);
    double rate = new Measurement(randomness).rate(filter);
    return new FilterBuildReport(
        target.write(filter, recipe.keying()),
        rate,
        new FilterBuildReport.Sources(lists, goodLists, List.of()),
        new FilterBuildReport.KnownGood(good.size(), all.size() - listed.size()),
        since(start));
  }

  private HashCollector.DistinctHashes read(
      List<Path> files, ListReader reader, KeyHash hash, List<ListReport> reports)
      throws OfflineException {
    HashCollector hashes = new HashCollector(means.mostEntries());
    for (Path file : files) {
      reports.add(reader.read(file, entry -> hashes.accept(hash.subject(entry.subject()))));
    }
    if (hashes.overfull()) {
      throw means.tooLarge("a filter of more than " + means.mostEntries() + " distinct keys");
    }
    return hashes.distinct();
  }

  /**
   * A filter that misses a listed key, or a cascade that hits a known-good one, is never written.
   */
  private static void prove(
      MembershipFilter filter,
      HashCollector.DistinctHashes listed,
      HashCollector.DistinctHashes good)
      throws OfflineException {
    long[] wrong = {0};
    listed.forEach(hash -> wrong[0] += 1 - filter.probe(hash));
    good.forEach(hash -> wrong[0] += filter.probe(hash));
    if (wrong[0] > 0) {
      throw new OfflineException(
          Kind.FAILED,
          "the filter answers wrongly for " + wrong[0] + " of its keys and was not written",
          "this is a mistake of the program, please report it");
    }
  }

  private long since(long start) {
    return means.nanoTime().getAsLong() - start;
  }
}
