package io.bloomgate.gateway.report;

import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.report.GatewayReport.Refusals;
import io.bloomgate.gateway.report.GatewayReport.ReportTime;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Bars by hour or day as SVG, one above the other: what each list refused in a report, and how
 * sessions ended on the page. A path for each colour keeps it small. Pure.
 */
public final class ReportChart {

  /** Colours that people of any colour vision tell apart, on white and on black (Okabe, Ito). */
  private static final List<String> COLOURS =
      List.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8f98");

  /** The width in pixels, as are all lengths here. */
  private static final int WIDTH = 680;

  private static final int HEIGHT = 218;
  private static final int LEFT = 64;
  private static final int TOP = 28;
  private static final int BOTTOM = 22;

  /** The widest bar; few bars would be blocks. */
  private static final int MAX_BAR = 40;

  /** Labels of the time axis at most. */
  private static final int MAX_LABELS = 8;

  /** The width of the first label, which may hold a date and an hour. */
  private static final int FIRST_LABEL = 84;

  /** Half of what another label takes. */
  private static final int HALF_LABEL = 20;

  private static final int MAX_GRID_LINES = 5;

  private ReportChart() {}

  /** The colour of the list of that number. */
  public static String colour(int list) {
    return COLOURS.get(Math.min(list, COLOURS.size() - 1));
  }

  /**
   * Bars of any counts.
   *
   * @param what is counted, for the heading
   * @param label for people who do not see the picture
   * @param all the counts of each colour by their moments, from the bottom of a bar to its top
   * @return empty when nothing was counted
   */
  public static String svg(
      Instant since,
      Instant until,
      ZoneId zone,
      String what,
      String label,
      List<Map<Instant, Long>> all) {
    ReportTime time = ReportTime.of(since, until, zone);
    List<List<Long>> sums = new ArrayList<>();
    for (Map<Instant, Long> counts : all) {
      long[] sum = new long[time.periods().size()];
      counts.forEach((at, number) -> sum[time.period(at)] += number);
      sums.add(Arrays.stream(sum).boxed().toList());
    }
    return svg(time, what, label, sums);
  }

  /** The chart; empty when nothing was refused. */
  static String svg(GatewayReport report) {
    return svg(
        report.time(),
        report.counted().sessions,
        report.counted().chart + " by time and list; the table below has the numbers",
        report.refusals().stream().map(Refusals::byPeriod).toList());
  }

  private static String svg(ReportTime time, String what, String label, List<List<Long>> all) {
    int periods = time.periods().size();
    long most = 0;
    for (int i = 0; i < periods; i++) {
      most = Math.max(most, sum(all, all.size(), i));
    }
    if (most == 0) {
      return "";
    }
    Scale scale = Scale.of(periods, most);
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="100%%" role="img" \
        aria-label="%s" font-family="sans-serif" font-size="11">
        """
            .formatted(WIDTH, HEIGHT, label));
    label(0, 15, "start", "t", what + " " + time.each(), svg);
    grid(scale, svg);
    labels(time, scale, svg);
    for (int list = 0; list < all.size(); list++) {
      svg.append("<path fill=\"").append(colour(list)).append("\" d=\"");
      for (int i = 0; i < periods; i++) {
        scale.bar(i, sum(all, list, i), sum(all, list + 1, i), svg);
      }
      svg.append("\"/>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  /** The sum of the first lists in one period. */
  private static long sum(List<List<Long>> lists, int first, int period) {
    return lists.stream().limit(first).mapToLong(each -> each.get(period)).sum();
  }

  private static void grid(Scale scale, StringBuilder svg) {
    for (long value = 0; value <= scale.top; value += scale.step) {
      double y = scale.y(value);
      svg.append("<path class=\"g\" stroke=\"#d5d8dd\" d=\"M")
          .append(LEFT)
          .append(' ')
          .append(text(y))
          .append('H')
          .append(WIDTH)
          .append("\"/>");
      label(LEFT - 6, y + 4, "end", "t", Quantities.grouped(value), svg);
    }
  }

  /** Draws labels; of two labels a narrow window shows one, in larger letters. */
  private static void labels(ReportTime time, Scale scale, StringBuilder svg) {
    label(LEFT, HEIGHT - 6, "start", "t", time.label(0, true), svg);
    boolean odd = true;
    for (int i : time.labelled(MAX_LABELS)) {
      double x = scale.middle(i);
      if (i == 0 || x - HALF_LABEL < LEFT + FIRST_LABEL) {
        continue;
      }
      boolean last = x + HALF_LABEL > WIDTH;
      label(
          last ? WIDTH : x,
          HEIGHT - 6,
          last ? "end" : "middle",
          odd ? "t o" : "t",
          time.label(i, false),
          svg);
      odd = !odd;
    }
  }

  private static void label(
      double x, double y, String anchor, String style, String label, StringBuilder svg) {
    svg.append("<text class=\"")
        .append(style)
        .append("\" fill=\"#555b66\" text-anchor=\"")
        .append(anchor)
        .append("\" x=\"")
        .append(text(x))
        .append("\" y=\"")
        .append(text(y))
        .append("\">")
        .append(label)
        .append("</text>\n");
  }

  /** A length with at most one digit after the point. */
  private static String text(double length) {
    long tenths = Math.round(length * 10);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
  }

  /**
   * The scale by which a value is drawn.
   *
   * @param step from one line of the grid to the next
   * @param top the value of the upper line
   */
  private record Scale(int periods, long step, long top) {

    /** Makes a scale with lines at 1, 2 or 5 and zeros, up to the first one that no bar exceeds. */
    static Scale of(int periods, long most) {
      long unit = 1;
      while (most > 10 * MAX_GRID_LINES * unit) {
        unit *= 10;
      }
      long least = Math.ceilDiv(most, MAX_GRID_LINES * unit);
      long step = unit * (least > 5 ? 10 : least > 2 ? 5 : least);
      return new Scale(periods, step, Math.ceilDiv(most, step) * step);
    }

    double middle(int period) {
      return LEFT + (period + 0.5) * (WIDTH - LEFT) / periods;
    }

    double y(long value) {
      return HEIGHT - BOTTOM - (double) value * (HEIGHT - BOTTOM - TOP) / top;
    }

    /** A bar from one value to another; none where the values are the same. */
    void bar(int period, long from, long to, StringBuilder path) {
      if (from == to) {
        return;
      }
      double width = Math.min(MAX_BAR, 0.8 * (WIDTH - LEFT) / periods);
      path.append('M')
          .append(text(middle(period) - width / 2))
          .append(' ')
          .append(text(y(from)))
          .append('V')
          .append(text(y(to)))
          .append('h')
          .append(text(width))
          .append('V')
          .append(text(y(from)))
          .append('z');
    }
  }
}
