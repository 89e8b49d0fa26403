package io.bloomgate.cli.fleet;

import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code bloomgate fleet}: several gateways that share lists. */
@Command(
    description = "Work with several gateways that share lists, entries and counters.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} status"})
public final class FleetCommands extends Group {

  /** The group with its commands. */
  public static CommandLine tree(Invocation in) {
    CommandLine fleet = new CommandLine(new FleetCommands());
    fleet.addSubcommand("status", new FleetStatusCommand(in));
    fleet.addSubcommand("key", new FleetKeyCommand(in));
    return fleet;
  }
}
