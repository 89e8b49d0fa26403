package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import io.bloomgate.gateway.report.GatewayReport.Disk;
import io.bloomgate.gateway.report.GatewayReport.Refusals;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The words and tables of a report, the same in text and HTML. Pure. */
public final class ReportTables {

  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;
  private static final String SESSIONS = "Sessions";

  private ReportTables() {}

  static String title(GatewayReport report) {
    return "Bloomgate on " + report.host();
  }

  /** The title of the table whose rows are the lists of the chart. */
  static String titleByList(GatewayReport report) {
    return report.counted().title + ", by list";
  }

  /** The line below the title. */
  static String subtitle(GatewayReport report) {
    return report.time() + ", mode " + report.mode().key();
  }

  /** The most important facts in one line, for the subject of a mail. */
  static String headline(GatewayReport report) {
    int feeds = report.feeds().size();
    return Quantities.grouped(report.refused())
        + switch (report.counted()) {
          case REFUSED -> " refused, ";
          case WOULD_BE -> " would be refused, ";
          case BOTH -> " refused or would be refused, ";
        }
        + Quantities.grouped(report.sessions().accepted())
        + " accepted"
        + (feeds == 0 ? "" : ", " + Quantities.count(feeds, "feed", "feeds") + " in trouble");
  }

  /** All sessions, by outcome. */
  private static ReportTable sessions(GatewayReport report) {
    SessionCounts counts = report.sessions();
    List<List<String>> rows = new ArrayList<>();
    rows.add(share("accepted", counts.accepted(), counts.sessions()));
    if (counts.tagged() > 0) {
      rows.add(share("- of these tagged", counts.tagged(), counts.sessions()));
    }
    if (counts.wouldTag() > 0) {
      rows.add(share("- would be tagged, mode observe", counts.wouldTag(), counts.sessions()));
    }
    if (counts.wouldRefuse() > 0) {
      rows.add(
          share("- let through by mode observe only", counts.wouldRefuse(), counts.sessions()));
    }
    rows.add(share("refused by a list", counts.refused(), counts.sessions()));
    rows.add(share("put off by a list", counts.putOff(), counts.sessions()));
    rows.add(share("refused for another reason, or given up", counts.other(), counts.sessions()));
    rows.add(share("all", counts.sessions(), counts.sessions()));
    return new ReportTable(
        SESSIONS, List.of("", SESSIONS, "Share"), 2, rows, aboutRefusedToo(counts.refusedToo()));
  }

  /** The tables by list count these sessions, which the row of the refused ones does not. */
  private static String aboutRefusedToo(long sessions) {
    return sessions == 0
        ? ""
        : "In "
            + Quantities.grouped(sessions)
            + " of the accepted sessions a list refused another recipient of the mail: the tables"
            + " by list count them, too.";
  }

  /** A table of refusals by list. */
  private static ReportTable byList(GatewayReport report) {
    long observed = report.letThrough();
    String note =
        observed > 0
            ? "Mode observe did not refuse "
                + Quantities.grouped(observed)
                + " of these "
                + Quantities.grouped(report.refused())
                + " sessions."
            : "";
    return new ReportTable(
        titleByList(report),
        List.of("List", SESSIONS, "Share"),
        2,
        report.refusals().stream()
            .map(each -> share(each.list(), each.sessions(), report.refused()))
            .toList(),
        report.refusals().isEmpty() ? "No list refused anything." : note);
  }

  /**
   * A table of refusals by hour or day, without hours and days of none.
   *
   * @param everyList a column for each list
   */
  static ReportTable byPeriod(GatewayReport report, boolean everyList) {
    List<Refusals> lists = everyList ? report.refusals() : List.of();
    List<List<String>> rows = new ArrayList<>();
    for (int period = 0; period < report.time().periods().size(); period++) {
      int at = period;
      long all = report.refusals().stream().mapToLong(each -> each.byPeriod().get(at)).sum();
      if (all > 0) {
        List<String> row = new ArrayList<>(List.of(report.time().begin(period)));
        lists.forEach(each -> row.add(dashed(each.byPeriod().get(at))));
        row.add(Quantities.grouped(all));
        rows.add(row);
      }
    }
    List<String> columns = new ArrayList<>(List.of("From"));
    lists.forEach(each -> columns.add(each.list()));
    columns.add("All");
    return new ReportTable(
        report.counted().title + (report.time().byHour() ? ", by hour" : ", by day"),
        columns,
        columns.size() - 1,
        rows,
        rows.isEmpty() ? "None." : "");
  }

  /**
   * All tables, what the administrator must see first.
   *
   * @param byPeriod the one of {@link #byPeriod}, which is long and comes last
   */
  static List<ReportTable> all(GatewayReport report, ReportTable byPeriod) {
    List<ReportTable> tables = new ArrayList<>();
    if (!report.problems().isEmpty()) {
      tables.add(problems(report));
    }
    tables.add(sessions(report));
    tables.add(byList(report));
    tables.add(goodSenders(report));
    tables.add(feeds(report));
    if (!report.unusedAllows().isEmpty()) {
      tables.add(unusedAllows(report));
    }
    tables.add(certificates(report));
    tables.add(disk(report.disk()));
    String most = report.counted().which + " most";
    tables.add(top("Networks " + most, "Network", report.networks()));
    tables.add(top("Sender domains " + most, "Sender domain", report.domains()));
    tables.add(byPeriod);
    return tables;
  }

  private static ReportTable problems(GatewayReport report) {
    return new ReportTable(
        "This report is not complete",
        List.of(""),
        0,
        report.problems().stream().map(List::of).toList(),
        "");
  }

  private static ReportTable top(String title, String what, List<Count> counts) {
    return new ReportTable(
        title,
        List.of(what, SESSIONS),
        1,
        counts.stream()
            .map(each -> List.of(each.what(), Quantities.grouped(each.sessions())))
            .toList(),
        counts.isEmpty() ? "None." : "");
  }

  private static ReportTable goodSenders(GatewayReport report) {
    return new ReportTable(
        "Accepted senders that a list names",
        List.of("Sender domain", "Network", "List", "Listing", SESSIONS),
        1,
        report.goodSenders().stream()
            .map(each ->
                List.of(
                    each.domain(),
                    each.network()
                        + (each.networks() == 1 ? "" : " and " + (each.networks() - 1) + " more"),
                    each.list(),
                    each.what(),
                    Quantities.grouped(each.sessions())))
            .toList(),
        report.goodSenders().isEmpty() ? "None." : aboutGoodSenders(report));
  }

  private static String aboutGoodSenders(GatewayReport report) {
    boolean pardoned =
        report.goodSenders().stream().anyMatch(each -> each.what().contains(ReportScan.PARDONED));
    return "`bloomgate explain NETWORK` shows the entries, `bloomgate allow add` keeps a sender"
        + " safe from lists."
        + (pardoned ? " pardoned: an allow entry or an exemption lifted the listing." : "");
  }

  private static ReportTable feeds(GatewayReport report) {
    return new ReportTable(
        "Feeds in trouble",
        List.of("Feed", "State", "Problem", "Next command"),
        0,
        report.feeds().stream()
            .map(each -> List.of(each.feed(), each.state(), each.problem(), each.next()))
            .toList(),
        report.feeds().isEmpty() ? "None." : "");
  }

  private static ReportTable unusedAllows(GatewayReport report) {
    return new ReportTable(
        "Allow entries that lifted nothing in " + GatewayReport.UNUSED.toDays() + " days",
        List.of("Id", "Subject", "Last use", "Reason"),
        0,
        report.unusedAllows().stream()
            .map(each ->
                List.of(
                    each.id(),
                    each.subject(),
                    each.used() == null ? "-" : report.time().minute(each.used()),
                    each.reason()))
            .toList(),
        "`bloomgate allow list --unused "
            + GatewayReport.UNUSED.toDays()
            + "d` shows all, `bloomgate allow remove ID` removes one.");
  }

  private static ReportTable certificates(GatewayReport report) {
    List<List<String>> rows = new ArrayList<>();
    for (Certificate shown : report.certificates()) {
      rows.add(List.of("name", shown.name() + ", " + shown.key()));
      rows.add(
          List.of(
              "valid until",
              report.time().minute(shown.expires())
                  + ", "
                  + (shown.days() < 0
                      ? "EXPIRED"
                      : Quantities.distance(shown.expires(), report.time().until()))));
    }
    boolean selfSigned = report.certificates().stream().anyMatch(Certificate::selfSigned);
    return new ReportTable(
        "Certificate",
        List.of("", ""),
        0,
        rows,
        rows.isEmpty()
            ? "No listener offers TLS."
            : selfSigned
                ? "It is self-signed: senders that check it by MTA-STS deliver nothing; set"
                    + " tls.certificate and tls.key."
                : "");
  }

  private static ReportTable disk(Disk disk) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("free in state_dir", disk.free() == null ? "not known" : size(disk.free())));
    rows.add(
        List.of(
            "kept sessions", size(disk.sessions()) + " of at most " + size(disk.sessionsMax())));
    rows.add(List.of("sessions not kept since the start", Quantities.grouped(disk.lost())));
    return new ReportTable(
        "Disk",
        List.of("", ""),
        0,
        rows,
        disk.trouble().isEmpty() ? "" : "Sessions are not kept now: " + disk.trouble());
  }

  private static List<String> share(String what, long part, long all) {
    return List.of(
        what,
        Quantities.grouped(part),
        all == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / all));
  }

  private static String dashed(long number) {
    return number == 0 ? "-" : Quantities.grouped(number);
  }

  /**
   * A size in MiB or GiB, with a decimal where the number is small; what is there is never zero.
   */
  static String size(long octets) {
    long unit = octets < GIB ? MIB : GIB;
    long tenths = Math.ceilDiv(octets * 10, unit);
    String number =
        tenths % 10 == 0 || tenths > 100
            ? Long.toString(tenths / 10)
            : tenths / 10 + "." + tenths % 10;
    return number + (unit == MIB ? " MiB" : " GiB");
  }

  /**
   * One part of a report: a title and rows, or what to say where there are none. Made by {@link
   * ReportTables}, shown as text and as HTML. Immutable; cells may be from outside.
   *
   * @param columns headings; empty ones for a table of names and values
   * @param numbers how many columns at the right are numbers
   * @param note a sentence below; empty for none
   */
  public record ReportTable(
      String title, List<String> columns, int numbers, List<List<String>> rows, String note) {

    public ReportTable {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
    }

    /** True for a column of numbers. */
    public boolean isNumber(int column) {
      return column >= columns.size() - numbers;
    }

    /** True when there is something to say above the columns. */
    public boolean hasHeading() {
      return columns.stream().anyMatch(column -> !column.isEmpty());
    }
  }
}
