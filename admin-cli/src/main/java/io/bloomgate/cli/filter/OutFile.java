package io.bloomgate.cli.filter;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import java.nio.file.Path;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The option {@code -o} of commands that write a filter. In all other commands this option is the
 * format of the answer. On the command's thread.
 */
final class OutFile {

  private static final Set<String> FORMATS = Set.of("text", "json", "raw", "-");

  @Option(
      names = "-o",
      paramLabel = "OUT",
      required = true,
      description = "the filter file; only another filter is ever overwritten")
  private Path file = Path.of("");

  /**
   * The file.
   *
   * @throws CliException when the word is one that {@code -o} takes in other commands
   */
  Path file() throws CliException {
    if (FORMATS.contains(file.toString())) {
      throw new CliException(
          ExitCode.USAGE,
          "-o names the filter file here, and " + file + " is no name of a file",
          "--output has the format of the answer; a file of that name is ./" + file);
    }
    return file;
  }

  /**
   * Makes {@code -o} the file; the format of the answer keeps its long name. Called when the
   * command has the options that every command has.
   */
  void takeShortOption(CommandSpec spec) {
    OptionSpec output = spec.findOption("-o");
    spec.remove(output);
    spec.addOption(OptionSpec.builder(output).names("--output").build());
    spec.addMixin("target", CommandSpec.forAnnotatedObject(this));
  }
}
