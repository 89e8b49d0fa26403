package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.SizeComparison;
import io.bloomgate.blocklists.workbench.SizeComparison.Rates;
import io.bloomgate.blocklists.workbench.SizeComparison.Size;
import io.bloomgate.cli.command.Example;
import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.cli.command.Values;
import io.bloomgate.config.json.JsonRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
    })
@Example("--entries 1000000 --fpp 0.01")
final class FilterSizeCommand extends FilterCommand {

  private static final long MOST_ENTRIES = 1_000_000_000_000L;
  private static final long MOST_OCTETS = 1L << 50;
  private static final int MOST_HASHES = 64;

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

  @Override
  public Integer call() {
    Output out = in.output();
    SizeComparison comparison = SizeComparison.of(request());
    List<Rates> rates = table ? Rates.table() : List.of();
    if (out.human()) {
      show(comparison, out);
      show(rates, out);
    } else {
      Stream.concat(comparison.rows().stream(), rates.stream())
          .forEach(row -> out.item(JsonRecords.of(row), (_, _) -> {}));
    }
    return ExitCode.OK;
  }

  private SizeComparison.Request request() {
    require(entries >= 1 && entries <= MOST_ENTRIES, "--entries is between 1 and " + MOST_ENTRIES);
    require(
        Stream.of(rate, bitsPerEntry, memory).filter(Objects::nonNull).count() == 1,
        "give one of --fpp, --bits-per-entry and --memory");
    require(
        hashes == null || (hashes >= 1 && hashes <= MOST_HASHES),
        "--hashes is between 1 and " + MOST_HASHES);
    require(
        bitsPerEntry == null || (bitsPerEntry >= 0.1 && bitsPerEntry <= 1000),
        "--bits-per-entry is between 0.1 and 1000");
    require(
        memory == null || (memory >= 1 && memory <= MOST_OCTETS),
        "--memory is between 1B and 1048576GiB");
    long bits =
        bitsPerEntry != null
            ? Math.max(1, (long) (entries * bitsPerEntry))
            : memory != null ? memory * Byte.SIZE : 0;
    return new SizeComparison.Request(entries, rate, bits, hashes == null ? 0 : hashes);
  }

  /** A row a kind. */
  private static void show(SizeComparison comparison, Output out) {
    out.line(comparison.title());
    TextTable kinds = new TextTable("kind|>bits|>octets|>an entry|>k|>rate|>factor|");
    for (SizeComparison.Row row : comparison.rows()) {
      Size size = row.size();
      kinds.row(
          size == null
              ? List.of(row.kind(), "-", "-", "-", "-", "-", "-", row.remark())
              : List.of(
                  row.kind(),
                  Long.toString(size.bits()),
                  Long.toString(size.octets()),
                  String.format(Locale.ROOT, "%.2f", size.bitsPerEntry()),
                  Integer.toString(size.hashes()),
                  significant(100 * size.expectedFpp()) + " %",
                  String.format(Locale.ROOT, "%.2f", size.factor()),
                  row.remark()));
    }
    kinds.print(out);
  }

  /** The rates of a classic filter; the best of a row is marked. */
  private static void show(List<Rates> rates, Output out) {
    if (rates.isEmpty()) {
      return;
    }
    out.line("");
    out.line(
        "Rate of a classic filter in % by bits an entry (m/n) and k, the best of a row with *:");
    int most = rates.getFirst().fpp().size();
    StringBuilder titles = new StringBuilder(">m/n");
    IntStream.rangeClosed(1, most).forEach(k -> titles.append("|>k=").append(k));
    TextTable all = new TextTable(titles.toString());
    for (Rates of : rates) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(of.tableBitsPerEntry())));
      for (int k = 1; k <= most; k++) {
        row.add((k == of.bestHashes() ? "*" : "") + significant(100 * of.fpp().get(k - 1)));
      }
      all.row(row);
    }
    all.print(out);
  }

  /** Three digits, and no exponent where people can do without. */
  private static String significant(double number) {
    if (number == 0 || number >= 100) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    int digits = Math.max(0, 2 - (int) Math.floor(Math.log10(number)));
    return digits > 8
        ? String.format(Locale.ROOT, "%.2e", number)
        : String.format(Locale.ROOT, "%." + digits + "f", number);
  }
}
