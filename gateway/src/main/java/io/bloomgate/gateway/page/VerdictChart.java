package io.bloomgate.gateway.page;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.report.ReportChart;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Sessions by hour and end, from the rows of {@code stats}, as SVG of ours. Pure. */
final class VerdictChart {

  /** One end of sessions. */
  private record Kind(String words, ToLongFunction<JsonObject> count) {}

  /**
   * The parts of a bar from its bottom to its top; those that were or would be tagged are among the
   * accepted.
   */
  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "accepted",
              row ->
                  at(row, "accepted")
                      - at(row, "tagged")
                      - at(row, "would_tag")
                      - at(row, "would_refuse")),
          new Kind("tagged", row -> at(row, "tagged")),
          new Kind("would be tagged", row -> at(row, "would_tag")),
          new Kind("would be refused", row -> at(row, "would_refuse")),
          new Kind("put off", row -> at(row, "put_off")),
          new Kind("ended otherwise", row -> at(row, "other")),
          new Kind("refused", row -> at(row, "refused")));

  /** Words and sum of one colour, for the legend; {@code colour} is its number. */
  record Legend(int colour, String words, long sessions) {}

  private VerdictChart() {}

  static List<Legend> legend(List<JsonObject> rows) {
    List<Legend> legend = new ArrayList<>();
    for (Kind kind : KINDS) {
      legend.add(
          new Legend(legend.size(), kind.words(), rows.stream().mapToLong(kind.count()).sum()));
    }
    return legend;
  }

  /** The chart; empty when there was no session. */
  static String svg(List<JsonObject> rows, Instant since, Instant until, ZoneId zone) {
    return ReportChart.svg(
        since,
        until,
        zone,
        "sessions",
        "Sessions by hour and end; the legend has sums",
        KINDS.stream().map(kind -> series(kind, rows)).toList());
  }

  private static ReportChart.Series series(Kind kind, List<JsonObject> rows) {
    return new ReportChart.Series(
        rows.stream()
            .map(row ->
                new ReportChart.Count(
                    Instant.parse(row.text("begins").orElse("")), kind.count().applyAsLong(row)))
            .toList());
  }

  private static long at(JsonObject row, String member) {
    return row.number(member).orElse(0);
  }
}
