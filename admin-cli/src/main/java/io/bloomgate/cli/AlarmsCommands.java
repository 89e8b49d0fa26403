package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bloomgate alarms}: the recipients of alarms. */
@Command(
    description = "Try the mail and the POST that alarms are sent by.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} test"})
final class AlarmsCommands extends Group {

  /** The group with its commands. */
  static CommandLine tree(Invocation in) {
    CommandLine alarms = new CommandLine(new AlarmsCommands());
    alarms.addSubcommand("test", new Test(in));
    return alarms;
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
}
