package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.filter.FilterBuildException;
import io.bloomgate.blocklists.filter.FilterFile;
import io.bloomgate.blocklists.filter.MembershipFilter;
import io.bloomgate.blocklists.filter.kinds.FilterMerge;
import io.bloomgate.blocklists.workbench.OfflineException.Kind;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * {@code bloomgate filter merge} and {@code filter intersect}: of filters of one kind, size and
 * seed, the one that holds what any of them holds, or what all hold. Used once.
 */
public final class FilterCombination {

  /** The way in which filters are joined. */
  public enum Operation {
    MERGE("merged"),
    INTERSECT("intersected");

    private final String word;

    Operation(String word) {
      this.word = word;
    }

    private MembershipFilter join(FilterFile one, FilterFile other) throws FilterBuildException {
      return switch (this) {
        case MERGE -> FilterMerge.or(one, other);
        case INTERSECT -> FilterMerge.and(one, other);
      };
    }
  }

  /**
   * The result of joining filters. Immutable.
   *
   * @param filter as it is on disk
   * @param probes random hashes behind the measured rate
   * @param measuredRate ratio of false positives among them
   */
  public record Report(
      Operation operation, List<Path> files, LoadedFilter filter, int probes, double measuredRate) {
    public Report {
      files = List.copyOf(files);
    }

    /** The object of {@code filter inspect}, with the rate and the files. */
    public JsonObject toJson() {
      return filter
          .members()
          .put("measured_fpp", measuredRate)
          .put("probes", probes)
          .put(operation.word, JsonValue.ofStrings(files.stream().map(Path::toString).toList()))
          .build();
    }
  }

  private final WorkbenchTools means;
  private final RandomGenerator randomness;

  /** Joins with fresh random numbers. */
  public FilterCombination(WorkbenchTools means) {
    this(means, means.randomness().get());
  }

  FilterCombination(WorkbenchTools means, RandomGenerator randomness) {
    this.means = means;
    this.randomness = randomness;
  }

  /**
   * Joins files into a further one.
   *
   * @param files at least one
   * @throws OfflineException when that cannot be done; then nothing was written
   */
  public Report run(Operation operation, List<Path> files, Path target) throws OfflineException {
    FilterTarget place = new FilterTarget(target);
    try {
      return run(operation, files, place);
    } catch (FilterBuildException e) {
      throw new OfflineException(Kind.USAGE, String.valueOf(e.getMessage()), "", e);
    } catch (OutOfMemoryError e) {
      throw means.tooLarge("this filter");
    }
  }

  Report run(Operation operation, List<Path> files, FilterTarget target)
      throws OfflineException, FilterBuildException {
    FilterFile sum = LoadedFilter.read(files.getFirst(), means).file();
    for (Path file : files.subList(1, files.size())) {
      FilterFile next = LoadedFilter.read(file, means).file();
      try {
        // The joined filter is in no file yet.
        sum = new FilterFile(operation.join(sum, next), sum.keying(), sum.digest());
      } catch (FilterBuildException e) {
        throw new FilterBuildException(files.getFirst() + " and " + file + ": " + e.getMessage());
      }
    }
    double rate = new Measurement(randomness, means.probes()).rate(sum.filter());
    return new Report(
        operation, files, target.write(sum.filter(), sum.keying()), means.probes(), rate);
  }
}
