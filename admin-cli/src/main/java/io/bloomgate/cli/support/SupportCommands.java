package io.bloomgate.cli.support;

import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Subcommands;
import picocli.CommandLine.Command;

/** {@code bloomgate support}: help from others. */
@Command(
    description = "Collect what others need to help with a problem.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} dump"})
public final class SupportCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree(Invocation in, String version) {
    Subcommands below = new Subcommands(new SupportCommands());
    below.add("dump", () -> new SupportDumpCommand(in, version));
    return below;
  }
}
