package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterComparison;
import io.bloomgate.blocklists.workbench.FilterDiff;
import io.bloomgate.blocklists.workbench.FilterEstimate;
import io.bloomgate.blocklists.workbench.LoadedFilter;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bloomgate filter}: filter files, made and asked without a gateway. Here are the commands
 * that only read files; {@link FilterMakers} and {@link FilterKeys} have the others.
 */
@Command(
    description = {
      "Make, look at and ask filter files; no gateway is needed.",
      "A filter answers no or maybe for a key. A no is always right: that key was never put in.",
      "A maybe is wrong for a few keys that were never put in: a false positive. With a rate"
          + " (--fpp) of 0.001, one of a thousand such keys gets it; a lower rate costs a larger"
          + " file."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} build drop.txt -o drop.filter"})
public final class FilterCommands extends Group {

  /** Adds the group with its commands, in the order of the help. */
  public static void addTo(CommandLine tree, Invocation in) {
    FilterMakers build = new FilterMakers.Build(in);
    FilterMakers merge = new FilterMakers.Merge(in);
    FilterMakers intersect = new FilterMakers.Intersect(in);
    FilterMakers pack = new FilterMakers.Pack(in);
    CommandLine filter = new CommandLine(new FilterCommands());
    filter.addSubcommand("build", build);
    filter.addSubcommand("inspect", new Inspect(in));
    filter.addSubcommand("query", new FilterKeys.Query(in));
    filter.addSubcommand("add", new FilterKeys.Add(in));
    filter.addSubcommand("remove", new FilterKeys.Remove(in));
    filter.addSubcommand("merge", merge);
    filter.addSubcommand("intersect", intersect);
    filter.addSubcommand("estimate", new Estimate(in));
    filter.addSubcommand("diff", new Diff(in));
    filter.addSubcommand("size", new FilterSizeCommand(in));
    filter.addSubcommand("compare", new Compare(in));
    filter.addSubcommand("verify", new Verify(in));
    filter.addSubcommand("pack", pack);
    filter.addSubcommand("push", new FilterKeys.Push(in));
    tree.addSubcommand("filter", filter);
    // Only now have they the options that every command has.
    List.of(build, merge, intersect, pack).forEach(FilterMakers::takeShortOption);
  }

  /** {@code filter inspect}. */
  @Command(
      description = {
        "Show kind, size, fill and rates of a filter file, after proving that it is whole.",
        "Of a filter that grows or counts, also its slices and counters. The seed id is a digest:"
            + " filters with the same one have the same seed, which stays secret.",
        "Exit code 0: shown, 1: damaged, or no filter."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter"})
  static final class Inspect extends FilterCommand {

    @Parameters(paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    Inspect(Invocation in) {
      super(in, false);
    }

    @Override
    int run(Output out) throws OfflineException {
      out.item(LoadedFilter.read(file, means()).toJson(), FilterText::show);
      return ExitCode.OK;
    }
  }

  /** {@code filter verify}. */
  @Command(
      description = {
        "Prove that a filter file is, octet for octet, what was written.",
        "Exit code 0: whole, 1: damaged."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter"})
  static final class Verify extends FilterCommand {

    @Parameters(paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    Verify(Invocation in) {
      super(in, false);
    }

    @Override
    int run(Output out) throws OfflineException {
      String damage = LoadedFilter.damage(file);
      JsonValue.ObjectBuilder object = JsonValue.object().put("file", file.toString());
      if (damage.isEmpty()) {
        object.put("checksum", "ok");
      } else {
        object.put("checksum", "damaged").put("reason", damage);
      }
      out.item(object.build(), FilterText::verdict);
      return damage.isEmpty() ? ExitCode.OK : ExitCode.NO;
    }
  }

  /** {@code filter estimate}. */
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
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} monday.filter tuesday.filter"})
  static final class Estimate extends FilterCommand {

    @Parameters(index = "0", paramLabel = "FILE", description = "a filter file")
    private Path file = Path.of("");

    @Parameters(index = "1", paramLabel = "FILE", arity = "0..1", description = "another one")
    private @Nullable Path other;

    Estimate(Invocation in) {
      super(in, false);
    }

    @Override
    int run(Output out) throws OfflineException {
      out.item(FilterEstimate.of(file, other, means()), FilterText::estimated);
      return ExitCode.OK;
    }
  }

  /** {@code filter diff}. */
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
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.filter drop.txt"})
  static final class Diff extends FilterCommand.OfLists {

    @Parameters(index = "0", paramLabel = "FILTER", description = "a filter file")
    private Path filter = Path.of("");

    @Parameters(index = "1", paramLabel = "LIST", description = "a list in any format of feeds")
    private Path list = Path.of("");

    Diff(Invocation in) {
      super(in, true);
    }

    @Override
    int run(Output out) throws OfflineException {
      FilterDiff diff =
          FilterDiff.of(
              filter,
              list,
              format,
              means(),
              key ->
                  out.item(
                      JsonValue.object().put("key", key).put("missing", true).build(),
                      FilterText::missing));
      out.item(JsonRecords.of(diff), FilterText::difference);
      return diff.alike() ? ExitCode.OK : ExitCode.NO;
    }
  }

  /** {@code filter compare}. */
  @Command(
      description = {
        "Put two filter files side by side: size, rates, lookup time, agreement.",
        "Exit code 0: compared, 1: with --keys, they answer differently for a key of the list, 2: a"
            + " file cannot be read or is damaged."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} old.filter new.filter --keys drop.txt"})
  static final class Compare extends FilterCommand.OfLists {

    @Parameters(index = "0", paramLabel = "A", description = "a filter file")
    private Path a = Path.of("");

    @Parameters(index = "1", paramLabel = "B", description = "another one")
    private Path b = Path.of("");

    @Option(
        names = "--keys",
        paramLabel = "FILE",
        description = "ask both for the keys of this list; needed where the seeds differ")
    private @Nullable Path keys;

    Compare(Invocation in) {
      super(in, true);
    }

    @Override
    int run(Output out) throws OfflineException {
      FilterComparison comparison = FilterComparison.of(a, b, keys, format, means());
      out.item(comparison.toJson(), FilterText::compared);
      return comparison.onKeys().map(FilterComparison.OnKeys::alike).orElse(true)
          ? ExitCode.OK
          : ExitCode.NO;
    }
  }
}
