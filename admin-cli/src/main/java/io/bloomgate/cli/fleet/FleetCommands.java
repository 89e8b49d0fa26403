package io.bloomgate.cli.fleet;

import io.bloomgate.cli.command.Group;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Subcommands;
import picocli.CommandLine.Command;

/** {@code bloomgate fleet}: several gateways that share lists. */
@Command(
    description = "Work with several gateways that share lists, entries and counters.",
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} status"})
public final class FleetCommands extends Group {

  /** The group with its commands. */
  public static Subcommands tree(Invocation in) {
    Subcommands below = new Subcommands(new FleetCommands());
    below.add("status", () -> new FleetStatusCommand(in));
    below.add("key", () -> new FleetKeyCommand(in));
    return below;
  }
}
