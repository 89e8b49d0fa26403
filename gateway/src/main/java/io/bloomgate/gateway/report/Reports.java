package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.blocklists.refresh.FeedStatus;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.SessionSearch;
import io.bloomgate.config.settings.SessionSettings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.report.GatewayReport.Certificate;
import io.bloomgate.gateway.report.GatewayReport.Disk;
import io.bloomgate.gateway.report.GatewayReport.FeedTrouble;
import io.bloomgate.gateway.report.GatewayReport.ReportTime;
import io.bloomgate.gateway.report.GatewayReport.UnusedAllow;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.State;
import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  /**
   * The report from a moment until now.
   *
   * @param in the zone whose hours and days are counted; {@code null} for that of the gateway
   * @throws IOException when the session store cannot be read
   */
  public GatewayReport since(Instant asked, @Nullable ZoneId in) throws IOException {
    GatewayStatus now = gateway.get();
    Instant until = now.at();
    SessionSettings settings = now.settings().sessions();
    Instant kept = until.minus(settings.retain());
    ReportTime time =
        ReportTime.of(asked.isBefore(kept) ? kept : asked, until, in == null ? zone : in);
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
            .reduce(SessionCounts.none(time.since()), SessionCounts::plus);
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
}
