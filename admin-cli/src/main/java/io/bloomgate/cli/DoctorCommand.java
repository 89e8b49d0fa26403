package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bloomgate doctor}: one line for each check, and below a failed check how to fix it; exit 1
 * when one fails.
 */
@Command(
    description = {
      "Look at the gateway, its mail server and its feeds, and say what to fix.",
      "Without an option everything is checked. No mail is sent. Exit code 1 when a check fails.",
      "A check that has not ended after 3 s is given up, and the answer says so."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --open-relay --identity"})
final class DoctorCommand implements Callable<Integer> {

  private static final int STATE_WIDTH = 5;
  private static final int CHECK_WIDTH = 12;

  private final Invocation in;

  @Option(
      names = "--open-relay",
      description = "does the gateway or the mail server relay for everybody?")
  private boolean openRelay;

  @Option(names = "--identity", description = "does the mail server learn the client's address?")
  private boolean identity;

  @Option(names = "--tls", description = "the certificate: chain, end, name")
  private boolean tls;

  @Option(names = "--feeds", description = "are the lists as new as they should be?")
  private boolean feeds;

  DoctorCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    return in.ask(new ControlRequest.Doctor(openRelay, identity, tls, feeds), DoctorCommand::show);
  }

  private static void show(JsonObject item, Output out) {
    String state = HumanText.value(item, "state");
    String padded = padded(state, STATE_WIDTH);
    String painted =
        switch (state) {
          case "ok" -> out.palette().good(padded);
          case "warn" -> out.palette().warn(padded);
          default -> out.palette().bad(padded);
        };
    out.line(
        painted
            + padded(HumanText.value(item, "check"), CHECK_WIDTH)
            + HumanText.value(item, "where")
            + ": "
            + HumanText.value(item, "what"));
    if (!item.text("mend").orElse("").isEmpty()) {
      out.line(" ".repeat(STATE_WIDTH + CHECK_WIDTH) + "-> " + HumanText.value(item, "mend"));
    }
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }
}
