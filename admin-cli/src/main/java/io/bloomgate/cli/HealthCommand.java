package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TerminalText;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bloomgate health}: for monitors; exit 0 when ready, 1 when not, 3 when not there. */
@Command(
    description = "Say whether the gateway is ready: exit code 0 or 1.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --timeout 2s"})
final class HealthCommand implements Callable<Integer> {

  private final Invocation in;

  HealthCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    return in.ask(new ControlRequest.Health(), HealthCommand::show);
  }

  private static void show(JsonObject item, Output out) {
    String state =
        item.isTrue("ready") ? out.palette().good("ready") : out.palette().bad("not ready");
    String reason = item.text("reason").or(() -> item.text("problem")).orElse("");
    out.line(reason.isEmpty() ? state : state + ": " + TerminalText.safe(reason));
    String feeds = HumanText.value(item, "feeds_bad");
    if (!item.elements("feeds_bad").isEmpty()) {
      out.line("feeds in trouble: " + feeds + "; `bloomgate status` says why");
    }
    item.text("fleet").ifPresent(why -> out.line("Redis fails: " + TerminalText.safe(why)));
  }
}
