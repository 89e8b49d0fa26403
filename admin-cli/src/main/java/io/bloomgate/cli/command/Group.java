package io.bloomgate.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that only has commands below it. */
public abstract class Group extends CliCommand {

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws CliException {
    throw new ParameterException(
        spec.commandLine(),
        "one of these is missing: "
            + String.join(
                ", ",
                spec.subcommands().entrySet().stream()
                    .filter(e -> !e.getValue().getCommandSpec().usageMessage().hidden())
                    .map(java.util.Map.Entry::getKey)
                    .toList()));
  }
}
