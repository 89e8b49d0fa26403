package io.bloomgate.cli;

import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Values;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bloomgate completion}: a script that the shell sources. */
@Command(
    description = {
      "Print a completion script for a shell.",
      "For bash put it into /etc/bash_completion.d, for zsh into a file `_bloomgate` in a"
          + " folder of fpath, for fish into /etc/fish/completions/bloomgate.fish. Names of"
          + " feeds, ids of the last refusals and subjects of entries come from the running"
          + " gateway; without one they are not offered."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} bash > /etc/bash_completion.d/bloomgate"})
final class CompletionCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(
      paramLabel = "SHELL",
      converter = Values.ShellWord.class,
      completionCandidates = Values.ShellWord.class,
      description = "bash, zsh or fish")
  private Values.Shell shell = Values.Shell.BASH;

  @Spec private CommandSpec spec = CommandSpec.create();

  CompletionCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    String script =
        switch (shell) {
          case BASH -> BashCompletion.script(root);
          case ZSH -> ZshCompletion.script(root);
          case FISH -> FishCompletion.script(root);
        };
    in.around().out().print(script);
    return ExitCode.OK;
  }
}
