package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Subcommands;
import io.bloomgate.config.control.ControlRequest;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bloomgate alarms}: the recipients of alarms, and who looks after one. */
@Command(
    description = "Say that you look after an alarm; try the mail and the POST that send alarms.",
    addMethodSubcommands = false)
@Example("test")
final class AlarmsCommands extends Group {

  /** The group with its commands. */
  static Subcommands tree() {
    return new Subcommands(new AlarmsCommands()).add("test", "seen");
  }

  @Command(
      description = {
        "Send a test to `alarms.to` and `alarms.url` of the running gateway.",
        "Exit code 1 when one of them did not take it. What is an alarm now: `bloomgate"
            + " status`."
      })
  @Example("")
  int test() throws CliException {
    return in.ask(
        new ControlRequest.AlarmsTest(),
        (item, out) -> {
          boolean sent = item.isTrue("sent");
          String line = "{way} to {to}: " + (sent ? "sent, the answer" : "NOT sent") + ": {answer}";
          out.line(sent ? out.palette().good(line) : out.palette().bad(line), item);
        });
  }

  @Command(
      description = {
        "Say that you have seen an alarm: `status` and the page name you beside it.",
        "It holds until the alarm has ended, or the gateway starts again."
      })
  @Example("feed drop")
  int seen(
      @Parameters(
              arity = "1..*",
              paramLabel = "WORDS",
              description = "the words that the alarm begins with in `bloomgate status`")
          List<String> words)
      throws CliException {
    return in.ask(
        new ControlRequest.AlarmsSeen(String.join(" ", words)),
        (item, out) -> out.line("seen by {by}: {alarm}", item));
  }
}
