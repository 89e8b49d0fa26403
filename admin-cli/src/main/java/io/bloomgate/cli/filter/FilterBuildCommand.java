package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.workbench.DistinctEntries;
import io.bloomgate.blocklists.workbench.FilterBuild;
import io.bloomgate.blocklists.workbench.FilterBuildReport;
import io.bloomgate.blocklists.workbench.FilterPlan;
import io.bloomgate.blocklists.workbench.ListReport;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bloomgate filter build}: from lists, or from other filters, to one filter file. */
@Command(
    description = {
      "Make a filter file from lists, or merge filter files of equal shape and seed.",
      "Lists may have any format of `bloomgate feeds formats`, compressed or not. Hosts, networks,"
          + " names and addresses are put in as they are listed: a network is one key, not its"
          + " hosts.",
      "Kinds: split-block for most uses; classic, the textbook's; counting, scalable-counting and"
          + " cuckoo, from which keys can be removed; scalable and scalable-counting, which grow;"
          + " fuse8 and fuse16, the smallest files, which cannot be changed; cascade, which never"
          + " says maybe to a key of --known-good.",
      "Takes at most 1000000000 distinct keys, of lists with at most 2 GiB of text each. Memory:"
          + " the filter (`filter size` computes it), 2 octets a key and 250 MiB, given with"
          + " BLOOMGATE_CLI_JAVA_OPTS=-Xmx4g; fuse8 and fuse16 take 600 MiB more. With more than 8"
          + " million keys, 8 octets a key are in a temporary file beside OUT meanwhile.",
      "Exit code 0: built, 1: a file cannot be read or is not a list, 2: the kind does not reach"
          + " the rate, or the filters differ, 4: built, but a list has more bad lines than a feed"
          + " may have."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} drop.txt -o drop.filter --kind classic"})
final class FilterBuildCommand implements Callable<Integer> {

  /** The largest number of bad lines of one list that are shown: more would hide the answer. */
  private static final int SHOWN_PROBLEMS = 3;

  private final Invocation in;
  private final OutFile target = new OutFile();

  @Parameters(
      paramLabel = "FILE",
      arity = "1..*",
      description = "lists (- for standard input), or filter files that are to be merged")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      converter = Values.KindWord.class,
      completionCandidates = Values.KindWord.class,
      description = "${COMPLETION-CANDIDATES} (default: split-block)")
  private @Nullable FilterKind kind;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = Values.RateConverter.class,
      description =
          "ratio of false positives (default: 0.001, one wrong maybe of a thousand other keys; or"
              + " the lowest that the kind reaches)")
  private @Nullable Double rate;

  @Option(
      names = "--bits-per-entry",
      paramLabel = "B",
      description = "size a classic filter by this instead of --fpp")
  private @Nullable Double bitsPerEntry;

  @Option(
      names = "--like",
      paramLabel = "FILTER",
      description = "take kind, size, rate and seed of this filter, so that both can be merged")
  private @Nullable Path like;

  @Option(
      names = "--known-good",
      paramLabel = "FILE",
      arity = "1..*",
      description = "lists of keys that a cascade must never hit")
  private List<Path> knownGood = new ArrayList<>();

  @Mixin private FilterOptions.ListFormat format = new FilterOptions.ListFormat();

  @Spec private CommandSpec spec = CommandSpec.create();

  FilterBuildCommand(Invocation in) {
    this.in = in;
  }

  void takeShortOption() {
    target.takeShortOption(spec);
  }

  @Override
  public Integer call() throws CliException {
    FilterBuild.Request request =
        new FilterBuild.Request(files, target.file(), format.name(), plan(), knownGood);
    try {
      FilterBuildReport report =
          new FilterBuild(in.around().means(), in.around().in()).run(request);
      Output out = in.output();
      out.report(report.toJson(), FilterText::built);
      warn(report, out);
      return report.allLists().stream().anyMatch(ListReport::hasTooManyBadLines)
          ? ExitCode.PARTLY
          : ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }

  private FilterPlan plan() {
    if (like != null) {
      FilterOptions.require(
          spec,
          kind == null && rate == null && bitsPerEntry == null,
          "--like takes kind, size and rate from the filter; leave --kind, --fpp and"
              + " --bits-per-entry out");
      return new FilterPlan.Like(like);
    }
    if (bitsPerEntry != null) {
      FilterOptions.require(spec, rate == null, "--bits-per-entry and --fpp exclude each other");
      FilterOptions.require(
          spec,
          kind == null || kind == FilterKind.CLASSIC,
          "--bits-per-entry sizes a filter of kind classic");
      FilterOptions.require(
          spec, bitsPerEntry > 0 && bitsPerEntry <= 1000, "--bits-per-entry is between 0 and 1000");
      return new FilterPlan.Sized(bitsPerEntry);
    }
    if (kind == null) {
      return rate == null
          ? new FilterPlan.Usual()
          : new FilterPlan.Rated(FilterKind.SPLIT_BLOCK, rate);
    }
    return rate == null ? new FilterPlan.OfKind(kind) : new FilterPlan.Rated(kind, rate);
  }

  /** Says what a list has that is no entry. */
  static void badLines(ListReport list, Output out) {
    if (list.totals().invalid() > 0) {
      out.warn(
          "warning: %s: left out as bad lines: %d"
              .formatted(list.source(), list.totals().invalid()));
      for (ParseProblem p : list.problems().stream().limit(SHOWN_PROBLEMS).toList()) {
        out.warn("  line %d: %s: %s".formatted(p.line(), p.reason(), p.text()));
      }
    }
  }

  private static void warn(FilterBuildReport report, Output out) {
    report.allLists().forEach(list -> badLines(list, out));
    DistinctEntries entries = report.filter().distinctEntries();
    long capacity = report.filter().shape().capacity();
    if (entries.count() == 0) {
      out.warn("warning: there was no key; this filter answers no for every key");
    }
    if (entries.count() > capacity) {
      out.warn(
          "warning: %s in a filter made for %d; build it again from the lists to have the"
                  .formatted(entries.words(), capacity)
              + " asked rate");
    }
    if (report.knownGood().listed() > 0) {
      out.warn(
          "warning: %d listed keys are known-good too and were left out"
              .formatted(report.knownGood().listed()));
    }
  }
}
