package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.html.Templates;
import io.bloomgate.gateway.html.Templates.Filled;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import io.bloomgate.gateway.report.GatewayReport.Disk;
import io.bloomgate.gateway.report.GatewayReport.FeedTrouble;
import io.bloomgate.gateway.report.GatewayReport.ReportTime;
import io.bloomgate.gateway.report.GatewayReport.UnusedAllow;
import io.bloomgate.gateway.report.ReportTables.ReportTable;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.State;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Makes reports of the running gateway from its session store. One for a gateway; any thread that
 * may block, for some seconds a million listed sessions.
 */
public final class Reports {

  private static final int MAX_FEEDS = 20;
  private static final int MAX_PROBLEMS = 10;
  private static final long DAY_SECONDS = 86_400;

  private final SessionStore store;
  private final Supplier<GatewayStatus> gateway;
  private final Function<Instant, List<OperatorEntry>> unusedAllows;
  private final ZoneId zone;

  /**
   * Reports of one gateway.
   *
   * @param unusedAllows gives some allow entries that lifted nothing since that time
   * @param zone whose hours and days are counted
   */
  public Reports(
      SessionStore store,
      Supplier<GatewayStatus> gateway,
      Function<Instant, List<OperatorEntry>> unusedAllows,
      ZoneId zone) {
    this.store = store;
    this.gateway = gateway;
    this.unusedAllows = unusedAllows;
    this.zone = zone;
  }

  /** One report in its three forms. */
  public record Forms(String headline, JsonObject data, String text, String html) {

    static Forms of(GatewayReport report) {
      return new Forms(
          ReportTables.headline(report),
          ReportJson.of(report),
          ReportText.of(report),
          ReportHtml.of(report));
    }
  }

  /**
   * The report from a moment until now.
   *
   * @throws IOException when the session store cannot be read
   */
  public Forms since(Instant since) throws IOException {
    return Forms.of(report(since));
  }

  GatewayReport report(Instant asked) throws IOException {
    GatewayStatus now = gateway.get();
    Instant until = now.at();
    SessionSettings settings = now.settings().sessions();
    Instant kept = until.minus(settings.retain());
    ReportTime time = ReportTime.of(asked.isBefore(kept) ? kept : asked, until, zone);
    List<String> problems = new ArrayList<>();
    if (!settings.keeps()) {
      problems.add("sessions are not kept: set sessions.retain");
    } else if (asked.isBefore(kept)) {
      problems.add("older sessions are not kept any more: see sessions.retain");
    }
    store.catchUp();
    SessionSearch search =
        store.search(problem -> {
          if (problems.size() < MAX_PROBLEMS) {
            problems.add(problem);
          }
        });
    SessionQuery all = SessionQuery.of(time.since(), until);
    SessionCounts counts =
        search.stats(all, DAY_SECONDS).stream()
            .reduce(new SessionCounts(time.since(), 0, 0, 0, 0, 0, 0, 0, 0), SessionCounts::plus);
    ReportScan scan = new ReportScan(time, settings.privacy());
    search.forEach(
        new SessionQuery(time.since(), until, null, null, null, null, "*", null, null),
        session -> {
          scan.add(session);
          return true;
        });
    return new GatewayReport(
        time,
        now.settings().hostname(),
        now.mode(),
        counts,
        scan.refusals(),
        scan.networks(),
        scan.domains(),
        scan.goodSenders(),
        troubles(now),
        unusedAllows.apply(until.minus(GatewayReport.UNUSED)).stream()
            .map(UnusedAllow::new)
            .toList(),
        now.certificates().stream().map(each -> new Certificate(each, until)).toList(),
        disk(now.state(), settings),
        problems.stream().distinct().toList());
  }

  private Disk disk(State state, SessionSettings settings) {
    OptionalLong free = state.freeOctets();
    return new Disk(
        free.isPresent() ? free.getAsLong() : null,
        state.sessions().octets(),
        settings.maxSizeOctets(),
        state.sessions().lost(),
        store.trouble());
  }

  private static List<FeedTrouble> troubles(GatewayStatus gateway) {
    List<FeedTrouble> troubles = new ArrayList<>();
    for (FeedStatus feed : gateway.feedStates()) {
      if (feed.alarms()) {
        String problem = feed.problem();
        troubles.add(
            new FeedTrouble(
                feed.feed(), feed.state().key(), problem == null ? "" : problem, next(feed)));
      }
    }
    for (DnsListAnswers.State list : gateway.dnsLists()) {
      if (list.enabled() && !list.problem().isEmpty()) {
        troubles.add(
            new FeedTrouble(list.list().name(), "off", list.problem(), "bloomgate doctor --feeds"));
      }
    }
    return troubles.stream().limit(MAX_FEEDS).toList();
  }

  private static String next(FeedStatus feed) {
    return feed.state() == FeedState.HELD
        ? "bloomgate feeds diff " + feed.feed() + " --held"
        : "bloomgate feeds show " + feed.feed();
  }

  /**
   * A report as one page of HTML that needs no other file: no script, no address that could be
   * loaded. Styles are in the elements, because mail programs drop style sheets; the sheet adds
   * dark colours where the reader wants these. Some mail programs drop SVG: each number is in a
   * table too. Less than 100 kB whatever the report says. Pure.
   */
  static final class ReportHtml {

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

  /** A report as the object of {@code report -o json}. Pure. */
  static final class ReportJson {

    private static final String SESSIONS = "sessions";

    private ReportJson() {}

    static JsonObject of(GatewayReport report) {
      List<Certificate> shown = report.certificates();
      return JsonValue.object()
          .put("since", report.time().since().toString())
          .put("until", report.time().until().toString())
          .put("zone", report.time().zone().toString())
          .put("host", report.host())
          .put("mode", report.mode().key())
          .put(SESSIONS, report.sessions().toJson())
          .put(
              "periods",
              JsonValue.ofStrings(report.time().periods().stream().map(Object::toString).toList()))
          .put("refused", JsonRecords.ofAll(report.refusals()))
          .put("networks", counts("network", report.networks()))
          .put("sender_domains", counts("sender_domain", report.domains()))
          .put("accepted_listed", JsonRecords.ofAll(report.goodSenders()))
          .put("feeds", JsonRecords.ofAll(report.feeds()))
          .put("unused_allows", JsonRecords.ofAll(report.unusedAllows()))
          .put("certificate", shown.isEmpty() ? JsonValue.NULL : JsonRecords.of(shown.getFirst()))
          .put("certificates", JsonRecords.ofAll(shown))
          .put("disk", JsonRecords.of(report.disk()))
          .put("problems", JsonValue.ofStrings(report.problems()))
          .build();
    }

    private static JsonArray counts(String name, List<Count> counts) {
      return new JsonArray(
          counts.stream()
              .<JsonValue>map(count ->
                  JsonValue.object()
                      .put(name, count.what())
                      .put(SESSIONS, count.sessions())
                      .build())
              .toList());
    }
  }
}
