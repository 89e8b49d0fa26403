package io.bloomgate.cli.filter;

import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The slices of a filter that grows, and the counters of one that counts, as a table. Pure. */
final class SliceText {

  private SliceText() {}

  /** The member {@code slices} of {@code filter inspect}. */
  static void show(JsonObject filter, Output out) {
    boolean counters =
        filter.elements("slices").stream()
            .anyMatch(slice -> slice instanceof JsonObject s && s.get("counters").isPresent());
    List<String> columns =
        new ArrayList<>(List.of("capacity", counters ? "counters" : "bits", "hashes", "used"));
    if (counters) {
      columns.add("overflowed");
    }
    columns.add("estimated_keys");
    List<String> heading = new ArrayList<>(List.of("slice"));
    heading.addAll(columns);
    heading.addAll(List.of("fill", "share", "expected"));
    TextTable table = new TextTable(heading, Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    int number = 0;
    for (var element : filter.elements("slices")) {
      if (element instanceof JsonObject slice) {
        List<String> row = new ArrayList<>(List.of(Integer.toString(++number)));
        columns.forEach(column -> row.add(HumanText.value(slice, column)));
        for (String column : List.of("fill", "share_fpp", "expected_fpp")) {
          row.add(FilterText.percent(slice, column));
        }
        table.row(row);
      }
    }
    table.print(out);
  }
}
