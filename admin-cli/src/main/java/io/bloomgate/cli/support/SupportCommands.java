package io.bloomgate.cli.support;

import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bloomgate support}: help from others. */
@Command(
    description = "Collect what others need to help with a problem.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} dump"})
public final class SupportCommands extends Group {

  /** The group with its commands. */
  public static CommandLine tree(Invocation in, String version) {
    CommandLine support = new CommandLine(new SupportCommands());
    support.addSubcommand("dump", new SupportDumpCommand(in, version));
    return support;
  }
}
