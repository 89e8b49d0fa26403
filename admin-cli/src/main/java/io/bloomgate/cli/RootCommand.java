package io.bloomgate.cli;

import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Group;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bloomgate} itself: holds the global options; without a command it shows its help. */
@Command(
    name = "bloomgate",
    description = "An SMTP gateway that stops known-bad senders before the mail server sees them.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:Yes, or done.",
      " 1:No: refused, invalid, held or not ready; or the work failed.",
      " 2:The command line is wrong, or the command is not in this release.",
      " 3:No gateway answers.",
      " 4:Some of it was done, or something was found; the help of the command says what.",
      " 5:The operating system forbids it.",
      "69:There is no Java, or the program is not built.",
      "75:An address to listen on is not there or is taken; a later start may succeed.",
      "78:The settings cannot be used."
    },
    footer = {"", "Example:", "  bloomgate explain 203.0.113.7"})
final class RootCommand extends Group {

  @Mixin private GlobalOptions options = new GlobalOptions();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-V", "--version"},
      description = "print the version of this program")
  private boolean version;

  GlobalOptions options() {
    return options;
  }

  @Override
  public Integer call() {
    if (version) {
      spec.commandLine().getOut().println("bloomgate " + VersionCommand.version());
      return ExitCode.OK;
    }
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
