package io.bloomgate.gateway.report;

import io.bloomgate.gateway.html.Templates;
import io.bloomgate.gateway.html.Templates.Filled;
import java.util.List;
import java.util.Map;

/**
 * A report as one page of HTML that needs no other file: no script, no address that could be
 * loaded. Styles are in the elements, because mail programs drop style sheets; the sheet adds dark
 * colours where the reader wants these. Some mail programs drop SVG: each number is in a table too.
 * Less than 100 kB whatever the report says. Pure.
 */
final class ReportHtml {

  private static final Templates TEMPLATES = new Templates();

  private ReportHtml() {}

  static String of(GatewayReport report) {
    List<ReportTable> tables = ReportTables.all(report, ReportTables.byPeriod(report, true));
    return TEMPLATES.html(
        new Filled(
            "report",
            Map.of(
                "title", ReportTables.title(report),
                "subtitle", ReportTables.subtitle(report),
                "tables", tables,
                "charted", ReportTables.titleByList(report),
                "chart", ReportChart.svg(report))));
  }
}
