package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code bloomgate drain} and {@code resume}: take the gateway out of service and back again. */
final class DrainCommands {

  private DrainCommands() {}

  private static void show(JsonObject item, Output out) {
    String state =
        item.isTrue("draining")
            ? out.palette().warn("draining")
            : out.palette().good("taking mail");
    out.line(state + ", " + HumanText.value(item, "sessions") + " sessions open");
  }

  /** {@code bloomgate drain}. */
  @Command(
      description = {
        "Take no more mail, and let messages in flight finish.",
        "New and idle sessions get 421; health says not ready, until resume or a restart."
      },
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME} && bloomgate status"})
  static final class Drain implements Callable<Integer> {
    private final Invocation in;

    Drain(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.Drain(), DrainCommands::show);
    }
  }

  /** {@code bloomgate resume}. */
  @Command(
      description = "Take mail again after drain.",
      footer = {"", "Example:", "  ${COMMAND-FULL-NAME}"})
  static final class Resume implements Callable<Integer> {
    private final Invocation in;

    Resume(Invocation in) {
      this.in = in;
    }

    @Override
    public Integer call() throws CliException {
      return in.ask(new ControlRequest.Resume(), DrainCommands::show);
    }
  }
}
