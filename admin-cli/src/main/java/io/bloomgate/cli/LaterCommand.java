package io.bloomgate.cli;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** A command that the documentation knows and this release does not. */
@Command(hidden = true, description = "Not in this release.")
final class LaterCommand implements Callable<Integer> {

  @Unmatched final List<String> arguments = new ArrayList<>();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws CliException {
    throw refusal(spec);
  }

  /** The refusal, which is the same for all arguments. */
  static CliException refusal(CommandSpec spec) {
    return new CliException(
        ExitCode.USAGE, "`" + spec.qualifiedName() + "` is not in this release", "");
  }
}
