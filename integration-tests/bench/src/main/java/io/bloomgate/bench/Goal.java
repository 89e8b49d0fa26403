package io.bloomgate.bench;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What a figure, or the ratio of two of the same run, must reach.
 *
 * @param what as the table says it
 * @param figure name of the figure
 * @param base name of the figure that it is divided by, empty for none
 * @param low lowest value that will do
 * @param high highest value that will do
 * @param unit as the table says it
 */
record Goal(String what, String figure, String base, double low, double high, String unit) {

  /** A figure that must not exceed a limit. */
  static Goal atMost(String what, String figure, double high, String unit) {
    return new Goal(what, figure, "", Double.NEGATIVE_INFINITY, high, unit);
  }

  /** A ratio that must not exceed a limit. */
  static Goal ratio(String what, String figure, String base, double high) {
    return new Goal(what, figure, base, Double.NEGATIVE_INFINITY, high, "");
  }

  /** A figure that must lie between two limits. */
  static Goal between(String what, String figure, double low, double high) {
    return new Goal(what, figure, "", low, high, "");
  }

  /**
   * One row of the table: value, goal, verdict; for a ratio its two figures, and the ratio of the
   * lowest values beside that of the medians, which alone is judged.
   */
  String row(Figures figures) {
    OptionalDouble over = figures.median(figure);
    OptionalDouble under = base.isEmpty() ? OptionalDouble.of(1) : figures.median(base);
    if (over.isEmpty() || under.isEmpty()) {
      return String.format(Locale.ROOT, "%-58s %10s %16s  missing", what, "-", limits());
    }
    double value = over.getAsDouble() / under.getAsDouble();
    String verdict = value >= low && value <= high ? "PASS" : "short";
    String row =
        String.format(Locale.ROOT, "%-58s %10.4g %16s  %-5s", what, value, limits(), verdict);
    return base.isEmpty() ? row : row + parts(figures, over.getAsDouble(), under.getAsDouble());
  }

  private String parts(Figures figures, double over, double under) {
    double leastOver = figures.least(figure).orElseThrow();
    double leastUnder = figures.least(base).orElseThrow();
    return String.format(
        Locale.ROOT,
        "  %.4g / %.4g; at best %.4g / %.4g = %.4g",
        over,
        under,
        leastOver,
        leastUnder,
        leastOver / leastUnder);
  }

  private String limits() {
    String limit =
        low == Double.NEGATIVE_INFINITY
            ? String.format(Locale.ROOT, "<= %.4g", high)
            : String.format(Locale.ROOT, "%.4g to %.4g", low, high);
    return unit.isEmpty() ? limit : limit + " " + unit;
  }
}
