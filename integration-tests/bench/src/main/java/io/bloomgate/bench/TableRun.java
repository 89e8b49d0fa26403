package io.bloomgate.bench;

import io.bloomgate.blocklists.filter.SplitBlockFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints every figure of a run and, below, those with a goal beside their goals. Arguments: the
 * sizes that were measured, in entries, or {@code snapshot} and the entries of one.
 */
public final class TableRun {

  private TableRun() {}

  /** Entry point. */
  public static void main(String[] args) throws IOException {
    Figures figures = Figures.read();
    System.out.printf(
        "%n%d processors, Java %s, split-block filters tested by %s instructions%n",
        Runtime.getRuntime().availableProcessors(),
        Runtime.version(),
        SplitBlockFilter.instructions());
    System.out.printf("%n%-58s %10s%n", "figure", "median");
    for (String name : figures.values().keySet()) {
      System.out.printf(Locale.ROOT, "%-58s %10.4g%n", name, figures.median(name).orElseThrow());
    }
    System.out.printf("%n%-58s %10s %16s  verdict%n", "goal", "measured", "must be");
    for (Goal goal : goals(args)) {
      System.out.println(goal.row(figures));
    }
  }

  private static List<Goal> goals(String[] sizes) {
    if (sizes.length > 0 && sizes[0].equals("snapshot")) {
      return Goals.snapshot(Figures.size(Long.parseLong(sizes[1])));
    }
    List<Goal> goals = new ArrayList<>();
    long largest = 0;
    for (String size : sizes) {
      goals.addAll(Goals.of(Figures.size(Long.parseLong(size))));
      largest = Math.max(largest, Long.parseLong(size));
    }
    goals.addAll(Goals.anySize(largest));
    return goals;
  }
}
