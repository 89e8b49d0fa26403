package io.bloomgate.gateway.report;

import java.util.List;
import java.util.regex.Pattern;

/**
 * A report as one page of HTML that needs no other file: no script, no address that could be
 * loaded. Styles are in the elements, because mail programs drop style sheets; the sheet adds dark
 * colours where the reader wants these. Some mail programs drop SVG: each number is in a table too.
 * Less than 100 kB whatever the report says. Pure.
 */
final class ReportHtml {

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>@TITLE@</title>
      <style>
      td,th{padding:3px 16px 3px 0;vertical-align:top}
      th,.t{color:#555b66}
      tr{border-bottom:1px solid #e6e8eb}
      @media (max-width:600px){
      table{font-size:12px}
      td,th{padding-right:8px}
      td:nth-child(-n+2){overflow-wrap:anywhere}
      svg text{font-size:17px}
      .o{display:none}
      }
      @media (prefers-color-scheme: dark){
      body,.page{background:#15181d!important;color:#e3e6ea!important}
      th,.t{color:#a9b0bb!important}
      text.t{fill:#a9b0bb}
      path.g{stroke:#353b45}
      tr{border-color:#2b3038!important}
      }
      </style></head>
      <body style="margin:0;background:#ffffff;color:#1d2127">
      <div class="page" style="max-width:760px;margin:0 auto;padding:20px;font:14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;background:#ffffff;color:#1d2127">
      <h1 style="font-size:22px;margin:0">@TITLE@</h1>
      <p class="t" style="margin:2px 0 0">@SUBTITLE@</p>
      """;

  private static final Pattern COMMAND = Pattern.compile("`([^`]++)`");

  private static final String TAIL =
      """
      <p class="t" style="margin:28px 0 0">Made by <code>bloomgate report</code>.</p>
      </div></body></html>
      """;

  private ReportHtml() {}

  static String of(GatewayReport report) {
    StringBuilder out = new StringBuilder(32 * 1024);
    out.append(
        HEAD.replace("@SUBTITLE@", Inert.html(ReportTables.subtitle(report)))
            .replace("@TITLE@", Inert.html(ReportTables.title(report))));
    for (ReportTable table : ReportTables.all(report, ReportTables.byPeriod(report, true))) {
      boolean charted = table.title().equals(ReportTables.titleByList(report));
      append(table, charted, charted ? ReportChart.svg(report) : "", out);
    }
    return out.append(TAIL).toString();
  }

  /**
   * A table below its title.
   *
   * @param legend each row begins with the colour of its bars
   * @param chart what is between the title and the table
   */
  private static void append(ReportTable table, boolean legend, String chart, StringBuilder out) {
    out.append("<h2 style=\"font-size:16px;margin:26px 0 6px\">")
        .append(table.title())
        .append("</h2>\n")
        .append(chart);
    if (!table.rows().isEmpty()) {
      // In a narrow window the table scrolls, and the page does not.
      out.append("<div style=\"overflow-x:auto\"><table style=\"border-collapse:collapse\">\n");
      if (table.hasHeading()) {
        row(table, table.columns(), "th", "", out);
      }
      for (int i = 0; i < table.rows().size(); i++) {
        row(table, table.rows().get(i), "td", legend ? swatch(i) : "", out);
      }
      out.append("</table></div>\n");
    }
    if (!table.note().isEmpty()) {
      out.append("<p class=\"t\" style=\"margin:6px 0 0\">")
          .append(html(table.note()))
          .append("</p>\n");
    }
  }

  /** Commands between backticks become code. */
  private static String html(String text) {
    return COMMAND.matcher(Inert.html(text)).replaceAll("<code>$1</code>");
  }

  private static String swatch(int number) {
    return "<span style=\"color:" + ReportChart.colour(number) + "\">&#9632;</span> ";
  }

  private static void row(
      ReportTable table, List<String> cells, String tag, String first, StringBuilder out) {
    out.append("<tr>");
    for (int i = 0; i < cells.size(); i++) {
      out.append('<')
          .append(tag)
          .append(table.isNumber(i) ? " align=\"right\" nowrap>" : " align=\"left\">")
          .append(i == 0 ? first : "")
          .append(html(cells.get(i)))
          .append("</")
          .append(tag)
          .append('>');
    }
    out.append("</tr>\n");
  }
}
