package io.bloomgate.cli.feeds;

import io.bloomgate.blocklists.generation.FeedCounts;
import io.bloomgate.blocklists.guard.FeedOverlap;
import io.bloomgate.cli.command.HumanText;
import io.bloomgate.cli.command.Output;
import io.bloomgate.cli.command.TextTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The answer of {@code feeds overlap} for a person. Pure. */
final class OverlapText {

  private OverlapText() {}

  static void show(OverlapReport report, Output out) {
    out.line("Part of each list (row) that the other lists (column) list too");
    table(report, out);
    if (report.measured().goodSenders() == 0) {
      out.line("No good senders were asked: allow.known_good or --known-good names files of them");
    }
    for (OverlapReport.Pair pair : report.joinable()) {
      out.line(
          out.palette().bad(percent(pair.overlap()))
              + " of "
              + pair.part().name()
              + " is in "
              + pair.whole().name()
              + ": rules count them as two; to count them as one, give both the same family:");
      out.line(
          "  feeds: {sources: {"
              + pair.part().name()
              + ": {family: "
              + pair.whole().family()
              + "}}}");
    }
  }

  private static void table(OverlapReport report, Output out) {
    FeedOverlap measured = report.measured();
    List<FeedCounts> feeds = report.feeds();
    List<String> heading = new ArrayList<>(List.of("", "LIST", "ENTRIES"));
    boolean good = measured.goodSenders() > 0;
    if (good) {
      heading.add("GOOD SENDERS");
    }
    Set<Integer> right = new HashSet<>(Set.of(0, 2));
    for (int column = 3; column < heading.size() + feeds.size(); column++) {
      right.add(column);
    }
    for (int number = 1; number <= feeds.size(); number++) {
      heading.add(Integer.toString(number));
    }
    TextTable table = new TextTable(heading, right);
    for (int i = 0; i < feeds.size(); i++) {
      String name = feeds.get(i).name();
      List<String> row = new ArrayList<>();
      row.add(Integer.toString(i + 1));
      row.add(name);
      row.add(HumanText.grouped(Long.toString(feeds.get(i).entries())));
      if (good) {
        row.add(HumanText.grouped(Long.toString(measured.good(name, name))));
      }
      for (FeedCounts other : feeds) {
        row.add(other.name().equals(name) ? "" : percent(measured.share(name, other.name())));
      }
      table.row(row);
    }
    table.print(out);
  }

  /** A part that is there is never shown as none. */
  static String percent(double share) {
    if (share == 0) {
      return "-";
    }
    long whole = Math.round(share * 100);
    return whole == 0 ? "<1 %" : whole + " %";
  }
}
