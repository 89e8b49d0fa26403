package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.workbench.FilterBuild;
import io.bloomgate.blocklists.workbench.FilterBuild.Operation;
import io.bloomgate.blocklists.workbench.FilterBuild.Plan;
import io.bloomgate.blocklists.workbench.FilterPack;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.json.JsonRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that make a filter file: {@code filter build}, {@code merge}, {@code intersect}. */
abstract class FilterMakers extends FilterCommand {

  final OutFile target = new OutFile();

  void takeShortOption() {
    target.takeShortOption(spec);
  }

  final FilterBuild maker() {
    return new FilterBuild(means(), in.around().in());
  }

  /** {@code filter build}: from lists, or from other filters, to one filter file. */
  @Command(
      description = {
        "Make a filter file from lists, or merge filter files of equal shape and seed.",
        "Lists may have any format of `bloomgate feeds formats`, compressed or not. Hosts,"
            + " networks, names, addresses and URLs are put in as they are listed: a network is one"
            + " key, not its hosts. With --as text every line is a key, exactly as it is written:"
            + " account ids, words, numbers.",
        "Kinds: split-block for most uses; classic, the textbook's; counting, scalable-counting and"
            + " cuckoo, from which keys can be removed; scalable and scalable-counting, which grow;"
            + " fuse8 and fuse16, the smallest files, which cannot be changed; cascade, which never"
            + " says maybe to a key of --good.",
        "Takes at most 1000000000 distinct keys, of lists with at most 2 GiB of text each. Memory:"
            + " the filter (`filter size` computes it), 2 octets a key and 250 MiB, given with"
            + " BLOOMGATE_CLI_JAVA_OPTS=-Xmx4g; fuse8 and fuse16 take 35 octets a key. With more"
            + " than 8 million keys, 8 octets a key are in a temporary file beside OUT meanwhile.",
        "Exit code 0: built, 1: a file cannot be read or is not a list, 2: the kind does not reach"
            + " the rate, or the filters differ, 4: built, but a list has more bad lines than a"
            + " feed may have."
      })
  @Example("drop.txt -o drop.filter --kind classic")
  static final class Build extends FilterMakers {

    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description = "lists (- for standard input), or filter files that are to be merged")
    private List<Path> files = new ArrayList<>();

    @Option(
        names = "--kind",
        paramLabel = "KIND",
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
        names = "--entries",
        paramLabel = "N",
        description = "keys that it is made for, when more are to be added (default: those read)")
    private long entries;

    @Option(
        names = "--like",
        paramLabel = "FILTER",
        description = "take kind, size, rate and seed of this filter, so that both can be merged")
    private @Nullable Path like;

    @Option(
        names = {"--good", "--known-good"},
        paramLabel = "FILE",
        arity = "1..*",
        description = "lists of keys that a cascade must never hit")
    private List<Path> good = new ArrayList<>();

    @Option(
        names = "--as",
        paramLabel = "FORM",
        description = "mail, or text: each line is a key (default: mail)")
    private String form = "mail";

    @Mixin private FilterCommand.Format format = new FilterCommand.Format();

    @Override
    public Integer call() throws OfflineException, CliException {
      Output out = in.output();
      Plan plan = plan();
      boolean anyText = form.equals("text");
      require(anyText || form.equals("mail"), "--as is mail or text");
      FilterBuild.Report report =
          maker()
              .run(new FilterBuild.Request(files, target.file(), format.name, anyText, plan, good));
      out.report(report.json(), FilterText::built);
      int exit = badLines(report.lists(), out);
      if (report.filter().shape().entries() == 0) {
        out.warn("warning: there was no key; this filter answers no for every key");
      }
      overfull(report.filter(), "it again from the lists", out);
      if (report.listed() > 0) {
        out.warn(
            "warning: %d listed keys are known-good too and were left out"
                .formatted(report.listed()));
      }
      return exit;
    }

    private Plan plan() {
      require(
          like == null || (kind == null && rate == null && bitsPerEntry == null && entries == 0),
          "--like takes kind, size and rate from the filter; leave --kind, --fpp, --entries and"
              + " --bits-per-entry out");
      require(
          rate == null || bitsPerEntry == null, "--bits-per-entry and --fpp exclude each other");
      require(
          bitsPerEntry == null || kind == null || kind == FilterKind.CLASSIC,
          "--bits-per-entry sizes a filter of kind classic");
      require(
          bitsPerEntry == null || (bitsPerEntry > 0 && bitsPerEntry <= 1000),
          "--bits-per-entry is between 0 and 1000");
      require(entries >= 0, "--entries is a number of keys");
      return new Plan(kind, rate, bitsPerEntry, like, entries);
    }
  }

  /** A command that joins filters. */
  abstract static class Join extends FilterMakers {
    private final Operation operation;

    @Parameters(
        paramLabel = "FILE",
        arity = "1..*",
        description = "two or more filter files of one kind, size and seed")
    private List<Path> files = new ArrayList<>();

    Join(Operation operation) {
      this.operation = operation;
    }

    @Override
    public Integer call() throws OfflineException, CliException {
      Output out = in.output();
      CliException.refuseIf(
          files.size() < 2, files.getFirst() + " is one filter", "give two or more filter files");
      FilterBuild.Report report = maker().join(operation, files, target.file());
      out.report(report.json(), FilterText::built);
      overfull(report.filter(), "a larger one of the lists", out);
      return ExitCode.OK;
    }
  }

  /** {@code filter merge}. */
  @Command(
      description = {
        "Make one filter that holds what any of several filters holds.",
        "Kinds split-block, classic and counting can be merged, when kind, size and seed are equal"
            + " (`filter build --like`). Counters are added.",
        "Exit code 1: a file is damaged, 2: the filters differ, or their kind does not merge."
      })
  @Example("a.filter b.filter -o both.filter")
  static final class Merge extends Join {
    Merge() {
      super(Operation.MERGE);
    }
  }

  /** {@code filter intersect}. */
  @Command(
      description = {
        "Make one filter that holds what all of several filters hold.",
        "Kinds split-block and classic, when kind, size and seed are equal. No key that all hold is"
            + " missed; one that some hold is a false positive as often as in the others. The"
            + " number of entries is estimated by fill.",
        "Exit code 1: a file is damaged, 2: the filters differ, or their kind does not intersect."
      })
  @Example("a.filter b.filter -o common.filter")
  static final class Intersect extends Join {
    Intersect() {
      super(Operation.INTERSECT);
    }
  }

  /** {@code filter pack}. */
  @Command(
      description = {
        "Make a smaller file of a filter for transport, or the filter of such a file again.",
        "The filter comes back octet for octet. Few bits set make a small file: a filter that was"
            + " made for more keys than it holds shrinks, one that is full does not.",
        "Exit code 1: the file is damaged, or no filter."
      })
  @Example("drop.filter -o drop.packed")
  static final class Pack extends FilterMakers {

    @Parameters(paramLabel = "FILE", description = "a filter file, or a packed one")
    private Path file = Path.of("");

    @Override
    public Integer call() throws OfflineException, CliException {
      Output out = in.output();
      var report = FilterPack.run(file, target.file());
      out.report(JsonRecords.of(report), FilterText::packed);
      return ExitCode.OK;
    }
  }

  /**
   * The option {@code -o} of commands that write a filter. In all other commands this option is the
   * format of the answer. On the command's thread.
   */
  static final class OutFile {

    private static final Set<String> FORMATS = Set.of("text", "json", "raw", "-");

    @Option(
        names = "-o",
        paramLabel = "OUT",
        required = true,
        description = "the filter file; only another filter is ever overwritten")
    private Path file = Path.of("");

    /**
     * The file.
     *
     * @throws CliException when the word is one that {@code -o} takes in other commands
     */
    Path file() throws CliException {
      CliException.refuseIf(
          FORMATS.contains(file.toString()),
          "-o names the filter file here, and " + file + " is no name of a file",
          "--output has the format of the answer; a file of that name is ./" + file);
      return file;
    }

    /**
     * Makes {@code -o} the file; the format of the answer keeps its long name. Called when the
     * command has the options that every command has.
     */
    void takeShortOption(CommandSpec spec) {
      OptionSpec output = spec.findOption("-o");
      spec.remove(output);
      spec.addOption(OptionSpec.builder(output).names("--output").build());
      spec.addMixin("target", CommandSpec.forAnnotatedObject(this));
    }
  }
}
