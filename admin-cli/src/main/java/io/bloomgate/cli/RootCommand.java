package io.bloomgate.cli;

import io.bloomgate.cli.command.GlobalOptions;
import io.bloomgate.cli.command.Specs;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;

/** {@code bloomgate} itself: holds the global options; without a command it shows its help. */
final class RootCommand implements Runnable {

  private static final String[] EXIT_CODES = {
    " 0:Yes, or done.",
    " 1:No: refused, invalid, held or not ready; or the work failed.",
    " 2:The command line is wrong, or the command is not in this release.",
    " 3:No gateway answers.",
    " 4:Some of it was done, or something was found; the help of the command says what.",
    " 5:The operating system forbids it.",
    "69:There is no Java, or the program is not built.",
    "75:An address to listen on is not there or is taken; a later start may succeed.",
    "78:The settings cannot be used."
  };

  private final GlobalOptions options = new GlobalOptions();
  private final CommandSpec spec;
  private boolean version;

  RootCommand() {
    spec =
        Specs.command(
                this,
                "An SMTP gateway that stops known-bad senders before the mail server sees them.")
            .name("bloomgate");
    spec.usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(UsageMessageSpec.keyValuesMap(EXIT_CODES))
        .footer("", "Example:", "  bloomgate explain 203.0.113.7");
    options.addTo(spec);
    spec.addOption(
        Specs.flag(value -> version = value, "-V", "--version")
            .description("print the version of this program")
            .build());
  }

  CommandSpec spec() {
    return spec;
  }

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
