package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate alarms}: the recipients of alarms, and who looks after one. */
@Command(
    description = "Say that you look after an alarm; try the mail and the POST that send alarms.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} test"})
final class AlarmsCommands extends Group {

  /** The group with its commands. */
  static Subcommands tree(Invocation in) {
    Subcommands below = new Subcommands(new AlarmsCommands());
    below.add("test", () -> new Test(in));
    below.add("seen", () -> new Seen(in));
    return below;
  }

  /** {@code alarms test}. */
  @Command(
      description = {
        "Send a test to `alarms.to` and `alarms.url` of the running gateway.",
        "Exit code 1 when one of them did not take it. What is an alarm now: `bloomgate"
            + " status`."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
  static final class Test implements Callable<Integer> {
    private final Invocation in;

    Test(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.AlarmsTest(), Test::show);
    }

    private static void show(JsonObject item, Output out) {
      boolean sent = item.isTrue("sent");
      String line =
          HumanText.value(item, "way")
              + " to "
              + HumanText.value(item, "to")
              + (sent ? ": sent, the answer: " : ": NOT sent: ")
              + HumanText.value(item, "answer");
      out.line(sent ? out.palette().good(line) : out.palette().bad(line));
    }
  }

  /** {@code alarms seen}. */
  @Command(
      description = {
        "Say that you have seen an alarm: `status` and the page name you beside it.",
        "It holds until the alarm has ended, or the gateway starts again."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} feed drop"})
  static final class Seen implements Callable<Integer> {
    private final Invocation in;

    @Parameters(
        arity = "1..*",
        paramLabel = "WORDS",
        description = "the words that the alarm begins with in `bloomgate status`")
    private List<String> words = List.of();

    Seen(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(
          new ControlRequest.AlarmsSeen(String.join(" ", words)),
          (item, out) -> out.line("seen by {by}: {alarm}", item));
    }
  }
}
