package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterComparison;
import io.bloomgate.blocklists.workbench.LoadedFilter;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Rare;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate filter}: filter files, made and asked without a gateway. Here are the commands
 * that only read files; {@link FilterMakers} and {@link FilterKeys} have the others.
 */
@Command(
    addMethodSubcommands = false,
    description = {
      "Make, look at and ask filter files; no gateway is needed.",
      "A filter answers no or maybe for a key. A no is always right: that key was never put in.",
      "A maybe is wrong for a few keys that were never put in: a false positive. With a rate"
          + " (--fpp) of 0.001, one of a thousand such keys gets it; a lower rate costs a larger"
          + " file."
    })
@Example("build drop.txt -o drop.filter")
public final class FilterCommands extends Group {

  /** The commands whose exit code 1 is an answer, so that a failure has another one. */
  public static final Set<String> QUESTIONS = Set.of("query", "diff", "compare");

  /** The group with its commands, in the order of the help. */
  public static Subcommands tree() {
    return new Subcommands(new FilterCommands())
        .add("build", FilterMakers.Build::new)
        .add("inspect")
        .add("query", FilterKeys.Query::new)
        .add("add", FilterKeys.Add::new)
        .add("remove", FilterKeys.Remove::new)
        .add("merge", FilterMakers.Merge::new)
        .add("intersect", FilterMakers.Intersect::new)
        .add("estimate", "diff")
        .add("size", FilterSizeCommand::new)
        .add("compare", "verify")
        .add("pack", FilterMakers.Pack::new)
        .add("push", FilterKeys.Push::new);
  }

  /** Gives {@code -o} to the commands that write a file, once they have the global options. */
  public static void takeShortOptions(CommandLine filter) {
    for (CommandLine command : filter.getSubcommands().values()) {
      if (command.getCommand() instanceof FilterMakers maker) {
        maker.takeShortOption();
      }
    }
  }

  @Command(
      description = {
        "Show kind, size, fill and rates of a filter file, after proving that it is whole.",
        "Of a filter that grows or counts, also its slices and counters. The seed id is a digest:"
            + " filters with the same one have the same seed, which stays secret.",
        "Exit code 0: shown, 1: damaged, or no filter."
      })
  @Example("drop.filter")
  int inspect(@Parameters(paramLabel = "FILE", description = "a filter file") Path file)
      throws OfflineException {
    Output out = in.output();
    LoadedFilter filter = LoadedFilter.read(file, in.around().means());
    out.item(filter.toJson(), FilterText::show);
    return ExitCode.OK;
  }

  @Command(
      description = {
        "Prove that a filter file is, octet for octet, what was written.",
        "Exit code 0: whole, 1: damaged."
      })
  @Example("drop.filter")
  int verify(@Parameters(paramLabel = "FILE", description = "a filter file") Path file)
      throws OfflineException {
    Output out = in.output();
    String damage = LoadedFilter.damage(file);
    String checksum = damage.isEmpty() ? "ok" : "damaged";
    out.item(JsonRecords.of(new Verified(file.toString(), checksum, damage)), FilterText::verdict);
    return damage.isEmpty() ? ExitCode.OK : ExitCode.NO;
  }

  private record Verified(String file, String checksum, @Rare String reason) {}

  @Command(
      description = {
        "Estimate by fill how many distinct keys a filter holds, and how many two share.",
        "Each key sets places at random, so the share of empty ones says how many keys there were;"
            + " repeats do not count. Kinds split-block, classic, counting, scalable and"
            + " scalable-counting. Two filters must have one kind, size and seed, and the kind must"
            + " be split-block, classic or counting. The deviation is that of chance: two of three"
            + " estimates are within it. A filter made by `filter intersect` is fuller than its"
            + " keys make it.",
        "Exit code 1: a file is damaged, 2: the kind shows no fill, or the two differ."
      })
  @Example("monday.filter tuesday.filter")
  int estimate(
      @Parameters(index = "0", paramLabel = "FILE", description = "a filter file") Path file,
      @Parameters(index = "1", paramLabel = "FILE", arity = "0..1", description = "another one")
          @Nullable Path other)
      throws OfflineException {
    Output out = in.output();
    out.item(FilterComparison.Estimate.of(file, other, in.around().means()), FilterText::estimated);
    return ExitCode.OK;
  }

  @Command(
      description = {
        "Put a filter beside a list: which keys it lacks, and how many it has besides.",
        "The keys of the list that the filter lacks are certain, and printed with +. A filter"
            + " cannot name its keys: those that the list lacks are counted, false positives taken"
            + " off. Where a merge or `filter add` counted keys twice, the keys are estimated by"
            + " fill, and a few that chance explains are no difference.",
        "Exit code 0: no difference shows, 1: the list has keys that the filter lacks, or the"
            + " filter has more entries than the list explains, 2: a file cannot be read or is"
            + " damaged."
      })
  @Example("drop.filter drop.txt")
  int diff(
      @Mixin FilterCommand.Format format,
      @Parameters(index = "0", paramLabel = "FILTER", description = "a filter file") Path filter,
      @Parameters(index = "1", paramLabel = "LIST", description = "a list in any format of feeds")
          Path list)
      throws OfflineException {
    Output out = in.output();
    Consumer<String> missing =
        key -> out.item(JsonRecords.of(new Missing(key, true)), FilterText::missing);
    FilterComparison.Diff diff =
        FilterComparison.Diff.of(filter, list, format.name, in.around().means(), missing);
    out.item(JsonRecords.of(diff), FilterText::difference);
    return diff.alike() ? ExitCode.OK : ExitCode.NO;
  }

  private record Missing(String key, boolean missing) {}

  @Command(
      description = {
        "Put two filter files side by side: size, rates, lookup time, agreement.",
        "Exit code 0: compared, 1: with --keys, they answer differently for a key of the list, 2: a"
            + " file cannot be read or is damaged."
      })
  @Example("old.filter new.filter --keys drop.txt")
  int compare(
      @Mixin FilterCommand.Format format,
      @Parameters(index = "0", paramLabel = "A", description = "a filter file") Path a,
      @Parameters(index = "1", paramLabel = "B", description = "another one") Path b,
      @Option(
              names = "--keys",
              paramLabel = "FILE",
              description = "ask both for the keys of this list; needed where the seeds differ")
          @Nullable Path keys)
      throws OfflineException {
    Output out = in.output();
    FilterComparison.Answer answer =
        FilterComparison.of(a, b, keys, format.name, in.around().means());
    out.item(answer.json(), FilterText::compared);
    return answer.alike() ? ExitCode.OK : ExitCode.NO;
  }
}
