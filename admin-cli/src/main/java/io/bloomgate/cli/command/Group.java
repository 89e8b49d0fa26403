package io.bloomgate.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has commands below it. */
@SuppressWarnings("NullAway.Init") // as in CliCommand
public abstract class Group extends CliCommand {

  @Spec private CommandSpec spec = CommandSpec.create();

  /** All commands below it, which the tree sets. */
  Subcommands commands;

  /** All commands below it. */
  public Subcommands commands() {
    return commands;
  }

  @Override
  public Integer call() throws CliException {
    throw new ParameterException(
        spec.commandLine(), "one of these is missing: " + String.join(", ", commands.names()));
  }
}
