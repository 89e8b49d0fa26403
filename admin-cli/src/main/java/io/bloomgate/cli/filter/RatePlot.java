package io.bloomgate.cli.filter;

import io.bloomgate.blocklists.workbench.RateCurves;
import io.bloomgate.blocklists.workbench.RateCurves.Curve;
import io.bloomgate.blocklists.workbench.RateCurves.Growth;
import io.bloomgate.blocklists.workbench.RateCurves.Point;
import io.bloomgate.blocklists.workbench.SizeComparison;
import io.bloomgate.blocklists.workbench.SizeComparison.Goal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The two pictures of {@code filter size --plot} (SVG 1.1), beside each other: rate against bits an
 * entry, and rate against fill. All texts are our own and need no escaping. Pure.
 */
final class RatePlot {

  /** Of a picture's field, in pixels. */
  private static final int WIDTH = 420;

  private static final int HEIGHT = 360;

  private static final int LEFT = 70;
  private static final int TOP = 50;

  /** For the legend, and the space to the next picture. */
  private static final int RIGHT = 130;

  private static final int BOTTOM = 60;
  private static final int LINE = 18;

  /** The lowest rate that is drawn, as a power of ten. */
  private static final int DECADES = 7;

  /** Seen as different by people who see few colours (Okabe and Ito, 2008). */
  private static final List<String> COLOURS =
      List.of("#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9");

  private static final List<String> DASHES = List.of("2 3", "", "8 3", "3 3", "", "", "");

  /** Stands at the beginning of each drawing. */
  static final String TITLE = "<title>False positives by bits an entry and by fill</title>";

  private RatePlot() {}

  /** Both pictures. */
  static String svg(SizeComparison comparison) {
    long entries = comparison.request().entries();
    Growth growth = RateCurves.byFill(entries, rate(comparison));
    int width = LEFT + WIDTH + RIGHT;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
            %s
            <rect width="100%%" height="100%%" fill="#fff"/>
            """,
            2 * width,
            TOP + HEIGHT + BOTTOM,
            TITLE));
    field(
        svg,
        0,
        "Rate against bits an entry, " + entries + " keys",
        "bits an entry",
        RateCurves.MOST_BITS,
        RateCurves.byBits(entries));
    field(
        svg,
        width,
        String.format(
            Locale.ROOT,
            "Rate against fill, made for %d keys at %.3g",
            growth.entries(),
            growth.rate()),
        "keys, as a multiple of those it was made for",
        RateCurves.MOST_FILL,
        growth.curves());
    double asked = y(growth.rate());
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#888\""
                + " stroke-dasharray=\"1 4\"/>\n",
            width + LEFT,
            asked,
            width + LEFT + WIDTH,
            asked));
    return svg.append("</svg>\n").toString();
  }

  /** The asked rate, or that of a classic filter in the asked memory. */
  private static double rate(SizeComparison comparison) {
    return switch (comparison.request().goal()) {
      case Goal.Rate(double rate) -> rate;
      case Goal.Bits ignored ->
          comparison.rows().stream()
              .filter(row -> row.name().equals("classic"))
              .flatMap(row -> row.size().stream())
              .mapToDouble(size -> size.rate())
              .findFirst()
              .orElse(0.01);
    };
  }

  private static void field(
      StringBuilder svg, int left, String title, String axis, double end, List<Curve> curves) {
    int from = left + LEFT;
    svg.append(text(from, TOP - 20, "start", title));
    svg.append(text(from + WIDTH / 2, TOP + HEIGHT + 42, "middle", axis));
    for (int decade = 0; decade <= DECADES; decade++) {
      double y = y(Math.pow(10, -decade));
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>\n",
              from,
              y,
              from + WIDTH,
              y));
      svg.append(text(from - 8, y + 4, "end", decade == 0 ? "1" : "1e-" + decade));
    }
    for (int step = 0; step <= 8; step++) {
      double x = from + WIDTH * step / 8.0;
      svg.append(text(x, TOP + HEIGHT + 20, "middle", SizeText.significant(end * step / 8)));
    }
    for (int i = 0; i < curves.size(); i++) {
      curve(svg, from, end, curves.get(i), i);
    }
  }

  private static void curve(StringBuilder svg, int from, double end, Curve curve, int number) {
    String colour = COLOURS.get(number % COLOURS.size());
    List<Point> seen =
        curve.points().stream().filter(p -> p.rate() >= Math.pow(10, -DECADES)).toList();
    if (seen.size() == 1) {
      Point point = seen.getFirst();
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n",
              from + WIDTH * point.x() / end,
              y(point.rate()),
              colour));
    } else {
      svg.append(
          String.format(
              Locale.ROOT,
              "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\""
                  + " points=\"%s\"/>\n",
              colour,
              DASHES.get(number % DASHES.size()),
              seen.stream()
                  .map(p ->
                      String.format(
                          Locale.ROOT, "%.1f,%.1f", from + WIDTH * p.x() / end, y(p.rate())))
                  .collect(Collectors.joining(" "))));
    }
    double y = TOP + LINE * (number + 0.5);
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%d\" y=\"%.1f\" width=\"14\" height=\"4\" fill=\"%s\"/>\n",
            from + WIDTH + 12,
            y - 6,
            colour));
    svg.append(text(from + WIDTH + 32, y, "start", curve.name()));
  }

  /** The rate 1 is at the top. */
  private static double y(double rate) {
    return TOP - HEIGHT * Math.clamp(Math.log10(rate), -DECADES, 0) / DECADES;
  }

  private static String text(double x, double y, String anchor, String words) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
        x,
        y,
        anchor,
        words);
  }
}
