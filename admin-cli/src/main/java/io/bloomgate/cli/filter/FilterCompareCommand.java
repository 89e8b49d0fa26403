package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.FilterComparison;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter compare}. */
@Command(
    description = {
      "Put two filter files side by side: size, rates, lookup time, agreement.",
      "Exit code 0: compared, 1: with --keys, they answer differently for a key of the list, 2: a"
          + " file cannot be read or is damaged."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} old.filter new.filter --keys drop.txt"})
final class FilterCompareCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(index = "0", paramLabel = "A", description = "a filter file")
  private Path a = Path.of("");

  @Parameters(index = "1", paramLabel = "B", description = "another one")
  private Path b = Path.of("");

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "ask both for the keys of this list; needed where the seeds differ")
  private @Nullable Path keys;

  @Mixin private FilterOptions.ListFormat format = new FilterOptions.ListFormat();

  FilterCompareCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    try {
      FilterComparison comparison =
          FilterComparison.of(a, b, keys, format.name(), in.around().means());
      in.output().item(comparison.toJson(), FilterText::compared);
      return comparison.onKeys().map(FilterComparison.OnKeys::alike).orElse(true)
          ? ExitCode.OK
          : ExitCode.NO;
    } catch (OfflineException e) {
      throw CliException.noAnswer(e);
    }
  }
}
