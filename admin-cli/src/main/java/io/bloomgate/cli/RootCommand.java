package io.bloomgate.cli;

import io.bloomgate.cli.command.GlobalOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bloomgate} itself: holds the global options; without a command it shows its help. */
@Command(
    name = "bloomgate",
    description = "An SMTP gateway that stops known-bad senders before the mail server sees them.",
    footer = {
      "",
      "Exit codes: 0 yes, 1 no, 2 usage, 3 no gateway, 4 partly, 5 permission, 78 settings.",
      "",
      "Example:",
      "  bloomgate explain 203.0.113.7"
    })
final class RootCommand implements Runnable {

  @Mixin private final GlobalOptions options = new GlobalOptions();

  @CommandLine.Option(
      names = {"-V", "--version"},
      description = "the version of this program")
  private boolean version;

  @Spec private CommandSpec spec = CommandSpec.create();

  GlobalOptions options() {
    return options;
  }

  @Override
  public void run() {
    if (version) {
      spec.commandLine().getOut().println("bloomgate " + VersionCommand.version());
      return;
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
