package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FeedTest;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.util.List;

/**
 * The facts that were read of one list file. Immutable.
 *
 * @param source as it was named
 * @param format found or named
 * @param totals counts of lines, bad lines and entries
 * @param keys that were put in, repeats included; a range is as many as the networks it falls into
 * @param exceptions entries that take away, which are left out
 * @param problems the first bad lines
 */
public record ListReport(
    String source,
    String format,
    ParseTotals totals,
    long keys,
    long exceptions,
    List<ParseProblem> problems) {

  public ListReport {
    problems = List.copyOf(problems);
  }

  /** True when a feed like this would not be taken for its share of bad lines. */
  public boolean hasTooManyBadLines() {
    double read = (double) totals.invalid() + totals.entries();
    return totals.invalid() > FeedGuard.TOLERATED_BAD_LINES
        && totals.invalid() / read > FeedTest.DEFAULT_GUARD.maxInvalid();
  }

  JsonObject toJson() {
    return JsonValue.object()
        .put("source", source)
        .put("format", format)
        .put("lines", totals.lines())
        .put("keys", keys)
        .put("exceptions", exceptions)
        .put("invalid", totals.invalid())
        .put("problems", JsonRecords.ofAll(problems))
        .build();
  }
}
