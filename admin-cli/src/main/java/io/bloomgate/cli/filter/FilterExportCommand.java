package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.ForeignExport;
import io.bloomgate.blocklists.workbench.OfflineException;
import io.bloomgate.blocklists.workbench.foreign.ForeignFormat;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bloomgate filter export}: a filter file for another library. */
@Command(
    description = {
      "Make a filter file that Guava or Redis loads, of the lines of files.",
      "Each line is a key as it is; lists of other formats have to be made lines first.",
      "`filter query` and `filter inspect` read the result, and such files of other programs."
    },
    footer = {
      "",
      "Example:",
      "  ${COMMAND-FULL-NAME} names.txt --format redisbloom --to names.resp",
      "  redis-cli --pipe < names.resp"
    })
final class FilterExportCommand implements Callable<Integer> {

  private final Invocation in;

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "files with a key a line")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      required = true,
      converter = Values.ForeignWord.class,
      completionCandidates = Values.ForeignWord.class,
      description = {
        "guava: BloomFilter.readFrom with stringFunnel(UTF_8)",
        "redisbloom: commands BF.LOADCHUNK for redis-cli --pipe"
      })
  private ForeignFormat format = ForeignFormat.GUAVA;

  @Option(
      names = "--to",
      paramLabel = "OUT",
      required = true,
      description = "the file, which must not be there yet")
  private Path target = Path.of("");

  @Mixin private FilterOptions.Rate rate = new FilterOptions.Rate();

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "key of the Redis server that will hold it (default: bloomgate)")
  private String key = "bloomgate";

  FilterExportCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    try {
      ForeignExport.Request request =
          new ForeignExport.Request(files, target, format, rate.rate(), key);
      in.output().report(new ForeignExport(in.around().means()).run(request), FilterText::foreign);
      return ExitCode.OK;
    } catch (OfflineException e) {
      throw CliException.of(e);
    }
  }
}
