package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.RedisFilterQuery;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bloomgate filter pull}. */
@Command(
    description = {
      "Take a filter out of Redis into a filter file of kind classic.",
      "Exit code 1: no such key, damaged, or Redis cannot be asked, 2: the key holds something"
          + " else."
    },
    footer = {
      "",
      "Example:",
      "  ${COMMAND-FULL-NAME} redis://127.0.0.1:6379/bloomgate:drop -o drop.filter"
    })
final class FilterPullCommand implements Callable<Integer> {

  private final Invocation in;
  private final OutFile target = new OutFile();

  @Parameters(
      paramLabel = "REDIS",
      description = "redis://HOST:PORT[/DB]/KEY, or rediss:// for TLS")
  private String from = "";

  @Spec private CommandSpec spec = CommandSpec.create();

  FilterPullCommand(Invocation in) {
    this.in = in;
  }

  void takeShortOption() {
    target.takeShortOption(spec);
  }

  @Override
  public Integer call() throws CliException {
    try (RedisFilterQuery redis = RedisFilterQuery.open(RedisTarget.key(from))) {
      in.output().report(redis.pull(target.file(), in.around().means()).toJson(), FilterText::show);
      return ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }
}
