package io.bloomgate.gateway.report;

import java.util.List;

/**
 * One part of a report: a title and rows, or what to say where there are none. Made by {@link
 * ReportTables}, shown as text and as HTML. Immutable; cells may be from outside.
 *
 * @param columns headings; empty ones for a table of names and values
 * @param numbers how many columns at the right are numbers
 * @param note a sentence below; empty for none
 */
public record ReportTable(
    String title, List<String> columns, int numbers, List<List<String>> rows, String note) {

  public ReportTable {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** True for a column of numbers. */
  public boolean isNumber(int column) {
    return column >= columns.size() - numbers;
  }

  /** True when there is something to say above the columns. */
  public boolean hasHeading() {
    return columns.stream().anyMatch(column -> !column.isEmpty());
  }
}
