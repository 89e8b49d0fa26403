package io.bloomgate.blocklists.workbench;

import io.bloomgate.blocklists.format.FeedSink.ParseProblem;
import io.bloomgate.blocklists.format.ParseTotals;
import io.bloomgate.blocklists.guard.FeedGuard;
import io.bloomgate.blocklists.guard.FeedTest;
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

  /** The form that answers show. */
  record Shown(
      String source,
      String format,
      long lines,
      long keys,
      long exceptions,
      long invalid,
      List<ParseProblem> problems) {}

  Shown shown() {
    return new Shown(source, format, totals.lines(), keys, exceptions, totals.invalid(), problems);
  }
}
