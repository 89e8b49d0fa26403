package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.RateTable;
import io.bloomgate.blocklists.workbench.SizeComparison;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Sizes of filters as tables for a person. Pure. */
final class SizeText {

  private SizeText() {}

  /** A row a kind. */
  static void show(SizeComparison comparison, Output out) {
    out.line(comparison.title());
    TextTable table =
        new TextTable(
            List.of("kind", "bits", "octets", "an entry", "k", "rate", "factor", ""),
            Set.of(1, 2, 3, 4, 5, 6));
    long entries = comparison.request().entries();
    for (SizeComparison.Row row : comparison.rows()) {
      table.row(
          row.size()
              .map(size ->
                  List.of(
                      row.name(),
                      Long.toString(size.bits()),
                      Long.toString(Math.ceilDiv(size.bits(), Byte.SIZE)),
                      String.format(Locale.ROOT, "%.2f", size.bits() / (double) entries),
                      Integer.toString(size.hashes()),
                      percent(size.rate()),
                      String.format(Locale.ROOT, "%.2f", row.factor(entries)),
                      row.remark()))
              .orElseGet(() -> List.of(row.name(), "-", "-", "-", "-", "-", "-", row.remark())));
    }
    table.print(out);
  }

  /** The rates of a classic filter; the best of a row is marked. */
  static void table(Output out) {
    out.line("");
    out.line(
        "Rate of a classic filter in % by bits an entry (m/n) and k, the best of a row with *:");
    List<String> heading = new ArrayList<>(List.of("m/n"));
    IntStream.rangeClosed(1, RateTable.MOST_HASHES).forEach(k -> heading.add("k=" + k));
    TextTable table =
        new TextTable(
            heading,
            IntStream.rangeClosed(0, RateTable.MOST_HASHES).boxed().collect(Collectors.toSet()));
    for (int bits = RateTable.FEWEST_BITS; bits <= RateTable.MOST_BITS; bits++) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(bits)));
      for (int k = 1; k <= RateTable.MOST_HASHES; k++) {
        String mark = k == RateTable.best(bits) ? "*" : "";
        row.add(mark + significant(100 * RateTable.rate(bits, k)));
      }
      table.row(row);
    }
    table.print(out);
  }

  private static String percent(double rate) {
    return significant(100 * rate) + " %";
  }

  /** Three digits, and no exponent where people can do without. */
  static String significant(double number) {
    if (number == 0 || number >= 100) {
      return String.format(Locale.ROOT, "%.0f", number);
    }
    int digits = Math.max(0, 2 - (int) Math.floor(Math.log10(number)));
    return digits > 8
        ? String.format(Locale.ROOT, "%.2e", number)
        : String.format(Locale.ROOT, "%." + digits + "f", number);
  }
}
