package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.filter.HashSource;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code bloomgate filter build}: from list files to a filter file, or from several filter files to
 * the one that holds what any of them holds. Used for one build.
 */
public final class FilterBuild {

  /**
   * The request for a build.
   *
   * @param files lists, of which one may be {@code -} for standard input, or else filters of equal
   *     shape and seed, which are merged
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

  /** Hashes that a build writes to its temporary file, repeats included: 16 GB of them. */
  private static final long MOST_WRITTEN = 2 * WorkbenchTools.MOST_BUILT;

  private final WorkbenchTools means;
  private final RandomGenerator randomness;
  private final InputStream in;

  /** A build with these means. */
  public FilterBuild(WorkbenchTools means, InputStream in) {
    this.means = means;
    this.randomness = means.randomness().get();
    this.in = in;
  }

  /** A build without standard input. */
  FilterBuild(WorkbenchTools means) {
    this(means, InputStream.nullInputStream());
  }

  /**
   * Builds the filter, proves that it holds what it must, and writes it.
   *
   * @throws OfflineException when it cannot be built as asked; then nothing was written
   */
  public FilterBuildReport run(Request request) throws OfflineException {
    long start = means.nanoTime().getAsLong();
    FilterTarget target = new FilterTarget(request.target());
    requireOneStandardInput(request);
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
      if (StandardInput.isMeant(file)) {
        list = file;
        continue;
      }
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
    FilterCombination.Report merged =
        new FilterCombination(means, randomness)
            .run(FilterCombination.Operation.MERGE, request.files(), target);
    return new FilterBuildReport(
        merged.filter(),
        merged.probes(),
        merged.measuredRate(),
        new FilterBuildReport.Sources(List.of(), List.of(), request.files()),
        FilterBuildReport.KnownGood.NONE,
        since(start));
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
    int room = (int) Math.min(HashSpool.HELD, means.mostHeld());
    try (HashSpool spool = new HashSpool(target.folder(), room, MOST_WRITTEN)) {
      List<ListReport> lists = read(request.files(), request, reader, recipe.hash(), spool);
      requireFew(spool.overfull());
      HashSource all = spool.distinct();
      requireFew(all.count() > WorkbenchTools.MOST_BUILT);
      HashCollector goodHashes = new HashCollector(means.mostHeld());
      List<ListReport> goodLists =
          read(request.knownGood(), request, reader, recipe.hash(), goodHashes);
      if (goodHashes.overfull()) {
        throw means.tooLarge("a set of more than " + means.mostHeld() + " known-good keys");
      }
      HashCollector.DistinctHashes good = goodHashes.distinct();
      HashSource listed = good.count() == 0 ? all : without(all, good);
      MembershipFilter filter = recipe.maker().make(listed, good);
      prove(filter, listed, good);
      double rate = new Measurement(randomness, means.probes()).rate(filter);
      return new FilterBuildReport(
          target.write(filter, recipe.keying()),
          means.probes(),
          rate,
          new FilterBuildReport.Sources(lists, goodLists, List.of()),
          new FilterBuildReport.KnownGood(good.count(), all.count() - listed.count()),
          since(start));
    } catch (UncheckedIOException e) {
      throw InputFiles.unwritable(target.folder(), Objects.requireNonNull(e.getCause()));
    } catch (IOException e) {
      throw InputFiles.unwritable(target.folder(), e);
    }
  }

  private static void requireFew(boolean tooMany) throws OfflineException {
    if (tooMany) {
      throw new OfflineException(
          Kind.USAGE,
          "a filter takes at most " + WorkbenchTools.MOST_BUILT + " distinct keys",
          "make several filters");
    }
  }

  private List<ListReport> read(
      List<Path> files, Request request, ListReader reader, SubjectHash hash, LongConsumer hashes)
      throws OfflineException, IOException {
    Consumer<ListEntry> keys = entry -> hashes.accept(hash.subject(entry.subject()));
    List<ListReport> reports = new ArrayList<>();
    for (Path file : files) {
      if (StandardInput.isMeant(file)) {
        try (StandardInput standard = StandardInput.read(in, request.target())) {
          reports.add(reader.read(standard.path(), StandardInput.NAME, keys));
        }
      } else {
        reports.add(reader.read(file, keys));
      }
    }
    return reports;
  }

  private static void requireOneStandardInput(Request request) throws OfflineException {
    long count =
        Stream.concat(request.files().stream(), request.knownGood().stream())
            .filter(StandardInput::isMeant)
            .count();
    if (count > 1) {
      throw new OfflineException(
          Kind.USAGE, "standard input can be read once only", "give - for one of the lists");
    }
  }

  /** The hashes of a set that another one lacks. */
  private static HashSource without(HashSource all, HashCollector.DistinctHashes others) {
    HashSource left =
        hashes ->
            all.forEach(hash -> {
              if (!others.contains(hash)) {
                hashes.accept(hash);
              }
            });
    long count = left.count();
    return new HashSource() {
      @Override
      public void forEach(LongConsumer hashes) {
        left.forEach(hashes);
      }

      @Override
      public long count() {
        return count;
      }
    };
  }

  /**
   * A filter that misses a listed key, or a cascade that hits a known-good one, is never written.
   */
  private static void prove(MembershipFilter filter, HashSource listed, HashSource good)
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
