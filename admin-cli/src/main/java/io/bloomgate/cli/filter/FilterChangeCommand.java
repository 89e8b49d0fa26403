package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterChange;
import io.bloomgate.blocklists.workbench.FilterChangeReport;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Answer;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Outcome;
import io.bloomgate.blocklists.workbench.FilterChangeReport.Verb;
import io.bloomgate.blocklists.workbench.FilterKeys;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter add} and {@code filter remove}: change a filter file where it is. */
abstract class FilterChangeCommand implements Callable<Integer> {

  private static final List<String> STANDARD_INPUT = List.of("-");

  /**
   * The largest number of lines that are no keys and are named; a file that is no list of keys has
   * a million of them.
   */
  private static final int SHOWN_PROBLEMS = 10;

  private final Invocation in;
  private final Verb verb;

  @Parameters(index = "0", paramLabel = "FILE", description = "a filter file")
  private Path file = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      arity = "1..*",
      description = "IP, CIDR, domain or mail address; - for standard input, one a line")
  private List<String> keys = new ArrayList<>();

  private FilterChangeCommand(Invocation in, Verb verb) {
    this.in = in;
    this.verb = verb;
  }

  /** {@code filter add}. */
  @Command(
      description = {
        "Add keys to a filter file where it is, and say for each whether it was there.",
        "Kinds counting, scalable, scalable-counting and cuckoo take keys. All keys are added or"
            + " none: a crash leaves the file as it was, or changed. A counting filter counts: what"
            + " is added twice must be removed twice.",
        "When a counting filter has more false positives than were asked, because it took more keys"
            + " than it was made for, a warning says so.",
        "Answers: new: it was certainly not inside; maybe: it may have been, or it is a false"
            + " positive.",
        "Exit code 0: added, 1: no room, or damaged, 2: the kind takes no keys, or one is not a"
            + " key; then nothing is changed."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} seen.filter 203.0.113.7 spam.example"})
  static final class Add extends FilterChangeCommand {
    Add(Invocation in) {
      super(in, Verb.ADD);
    }
  }

  /** {@code filter remove}. */
  @Command(
      description = {
        "Take keys out of a filter file where it is; remove only what was added.",
        "Kinds counting, scalable-counting and cuckoo give keys back. When the filter shows that"
            + " one of the keys was never added, none is removed. It cannot show that for a false"
            + " positive: the removal of such a key takes another key with it. A counter that"
            + " overflowed stays, and so does its key.",
        "Answers: removed; never: it was never added, or not so often; unchanged: not removed,"
            + " because another key was never added; kept: its counters overflowed, or more than"
            + " one slice claims it.",
        "Exit code 0: all were removed, 1: some were not, or the file is damaged, 2: the kind gives"
            + " none back, or one is not a key; then nothing is changed."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} seen.filter 203.0.113.7"})
  static final class Remove extends FilterChangeCommand {
    Remove(Invocation in) {
      super(in, Verb.REMOVE);
    }
  }

  @Override
  public Integer call() throws CliException {
    Output out = in.output();
    try {
      boolean stream = keys.equals(STANDARD_INPUT);
      FilterKeys all = stream ? FilterKeys.read(in.around().in()) : FilterKeys.of(keys);
      if (!all.problems().isEmpty()) {
        refuse(all.problems(), stream ? "line " : "key ", out);
        return ExitCode.USAGE;
      }
      FilterChangeReport report = new FilterChange(in.around().means()).run(file, verb, all);
      for (Answer answer : report.answers()) {
        if (!out.isRead()) {
          break;
        }
        out.item(JsonRecords.of(answer), FilterChangeCommand::show);
      }
      out.item(report.toJson(), FilterChangeCommand::sum);
      warn(report, out);
      return report.count(Outcome.NEVER) + report.count(Outcome.KEPT) > 0
          ? ExitCode.NO
          : ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }

  private static void refuse(List<FilterKeys.Problem> problems, String what, Output out) {
    for (FilterKeys.Problem problem : problems.stream().limit(SHOWN_PROBLEMS).toList()) {
      out.error(
          what + problem.number() + " is not a key: " + problem.reason() + "; nothing was changed");
    }
    int more = problems.size() - SHOWN_PROBLEMS;
    if (more > 0) {
      out.error(more + " more are no keys; nothing was changed");
    }
  }

  private static void show(JsonObject answer, Output out) {
    String word =
        switch (answer.text("outcome").orElse("")) {
          case "new" -> out.palette().good("new  ");
          case "maybe" -> out.palette().warn("maybe");
          case "removed" -> out.palette().good("removed  ");
          case "never" -> out.palette().bad("never    ");
          case "kept" -> out.palette().warn("kept     ");
          default -> "unchanged";
        };
    out.line(word + "  " + HumanText.value(answer, "key"));
  }

  private static void sum(JsonObject change, Output out) {
    String done =
        change.text("verb").orElse("").equals(Verb.ADD.word())
            ? HumanText.value(change, "keys")
                + " added, "
                + HumanText.value(change, "new")
                + " of them new"
            : HumanText.value(change, "removed")
                + " removed of "
                + HumanText.value(change, "keys")
                + (change.number("never").orElse(0) > 0
                    ? ", because a key was never added; nothing was changed"
                    : "");
    out.line(
        HumanText.value(change, "file")
            + ": "
            + done
            + "; "
            + HumanText.value(change, "entries")
            + " of "
            + HumanText.value(change, "capacity")
            + " entries");
  }

  private static void warn(FilterChangeReport report, Output out) {
    if (report.verb() == Verb.ADD && report.passesAskedRate()) {
      JsonObject shape = report.shape().toJson();
      out.warn(
          "warning: about %s false positives now, and %s were asked; build a larger filter of the lists"
              .formatted(
                  FilterText.percent(shape, "expected_fpp"),
                  FilterText.percent(shape, "asked_fpp")));
    }
    if (report.overflowed() > 0) {
      out.warn(
          "warning: %d keys have counters that overflowed: these stay, however often the keys are"
                  .formatted(report.overflowed())
              + " removed; build the filter again of its lists to count right");
    }
  }
}
