package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.RateTable;
import io.bloomgate.blocklists.workbench.SizeComparison;
import io.bloomgate.blocklists.workbench.SizeComparison.Goal;
import io.bloomgate.cli.command.CliException;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Invocation;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.Values;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bloomgate filter size}: every kind side by side before anything is built. */
@Command(
    description = {
      "Compute how large a filter of every kind would be, or how good in a given memory.",
      "Each row has the bits, the places that a lookup reads (k), the rate that comes of them, and"
          + " the factor to n log2(1/p), below which no filter with that rate can be.",
      "The rows cassandra-rate and cassandra-bits are what Apache Cassandra would take: for a rate"
          + " whole bits and then the fewest tests, for bits the best number of tests.",
      "A false positive is a maybe for a key that was never put in. With a rate of 0.01 one of a"
          + " hundred such keys gets it; a key that was put in always gets its maybe."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --entries 1000000 --fpp 0.01"})
final class FilterSizeCommand implements Callable<Integer> {

  private static final long MOST_ENTRIES = 1_000_000_000_000L;

  private static final long MOST_OCTETS = 1L << 50;

  private static final int MOST_HASHES = 64;

  private final Invocation in;

  @Option(
      names = "--entries",
      paramLabel = "N",
      required = true,
      description = "distinct keys to put in")
  private long entries;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = Values.RateConverter.class,
      description = "ratio of false positives that each kind must keep")
  private @Nullable Double rate;

  @Option(
      names = "--bits-per-entry",
      paramLabel = "B",
      description = "instead of --fpp: the memory of a key")
  private @Nullable Double bitsPerEntry;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = Values.SizeConverter.class,
      description = "instead of --fpp: the memory of all keys, for example 50MiB")
  private @Nullable Long memory;

  @Option(
      names = "--hashes",
      paramLabel = "K",
      description = "places of a key in the kinds that leave a choice (default: the best)")
  private @Nullable Integer hashes;

  @Option(
      names = "--table",
      description = "print the rates of a classic filter by bits an entry (m/n) and k too")
  private boolean table;

  @Spec private CommandSpec spec = CommandSpec.create();

  FilterSizeCommand(Invocation in) {
    this.in = in;
  }

  @Override
  public Integer call() throws CliException {
    SizeComparison comparison = SizeComparison.of(request());
    Output out = in.output();
    if (out.human()) {
      SizeText.show(comparison, out);
      if (table) {
        SizeText.table(out);
      }
    } else {
      comparison.toJson().forEach(row -> out.item(row, (_, _) -> {}));
      if (table) {
        RateTable.toJson().forEach(row -> out.item(row, (_, _) -> {}));
      }
    }
    return ExitCode.OK;
  }

  private SizeComparison.Request request() {
    FilterOptions.require(
        spec,
        entries >= 1 && entries <= MOST_ENTRIES,
        "--entries is between 1 and " + MOST_ENTRIES);
    FilterOptions.require(
        spec,
        Stream.of(rate, bitsPerEntry, memory).filter(Objects::nonNull).count() == 1,
        "give one of --fpp, --bits-per-entry and --memory");
    FilterOptions.require(
        spec,
        hashes == null || (hashes >= 1 && hashes <= MOST_HASHES),
        "--hashes is between 1 and " + MOST_HASHES);
    return new SizeComparison.Request(entries, goal(), hashes == null ? 0 : hashes);
  }

  private Goal goal() {
    if (rate != null) {
      return new Goal.Rate(rate);
    }
    if (bitsPerEntry != null) {
      FilterOptions.require(
          spec,
          bitsPerEntry >= 0.1 && bitsPerEntry <= 1000,
          "--bits-per-entry is between 0.1 and 1000");
      return new Goal.Bits(Math.max(1, (long) (entries * bitsPerEntry)));
    }
    long octets = memory == null ? 0 : memory;
    FilterOptions.require(
        spec, octets >= 1 && octets <= MOST_OCTETS, "--memory is between 1B and 1048576GiB");
    return new Goal.Bits(octets * Byte.SIZE);
  }
}
