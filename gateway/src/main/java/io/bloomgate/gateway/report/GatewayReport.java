package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.html.Templates;
import io.bloomgate.gateway.html.Templates.Filled;
import io.bloomgate.gateway.status.GatewayStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a report, bounded whatever the store holds. Names are as they came from outside.
 * Immutable; made by {@link Reports}, shown as text, as HTML and as JSON.
 *
 * @param time what it is about
 * @param host the name of the gateway
 * @param sessions the sum of all
 * @param refusals by list, the most first; includes mail that only mode observe let pass
 * @param networks that were refused most often
 * @param domains of senders that were refused most often
 * @param goodSenders accepted although a list names them, the most first
 * @param feeds those in trouble
 * @param unusedAllows the oldest allow entries that lifted nothing in {@link #UNUSED}
 * @param certificates empty when no listener offers TLS
 * @param problems why the report is not complete, a sentence each
 */
public record GatewayReport(
    ReportTime time,
    String host,
    Mode mode,
    SessionCounts sessions,
    List<Refusals> refusals,
    List<Count> networks,
    List<Count> domains,
    List<GoodSender> goodSenders,
    List<FeedTrouble> feeds,
    List<UnusedAllow> unusedAllows,
    List<Certificate> certificates,
    Disk disk,
    List<String> problems) {

  private static final Templates TEMPLATES = new Templates();

  /**
   * The refusals of one list, or of several together.
   *
   * @param letThrough of these, sessions that mode observe did not refuse
   * @param byPeriod for each of {@link ReportTime#periods}
   */
  record Refusals(String list, long sessions, long letThrough, List<Long> byPeriod) {}

  /**
   * An accepted sender that lists name.
   *
   * @param domain of the envelope sender, {@code <>} for none
   * @param network from which most of the mail came
   * @param list the lists, separated by commas
   * @param what the effects of the listings were, words for people
   * @param networks the number of them
   */
  record GoodSender(
      @Named("sender_domain") String domain,
      String network,
      @Named("feed") String list,
      @Named("listing") String what,
      long sessions,
      long networks) {}

  /**
   * A feed or DNS list that the administrator must see to.
   *
   * @param next the command that shows more or fixes it
   */
  record FeedTrouble(String feed, String state, String problem, String next) {}

  /** The time after which an allow entry that lifted nothing is named. */
  static final Duration UNUSED = Duration.ofDays(90);

  /**
   * An allow entry that lifted nothing.
   *
   * @param used when it last did; {@code null} for never
   */
  record UnusedAllow(
      String id, String subject, String author, String reason, @Nullable Instant used) {
    UnusedAllow(OperatorEntry entry) {
      this(entry.id(), entry.subject().toString(), entry.author(), entry.reason(), entry.used());
    }
  }

  /**
   * A certificate that STARTTLS shows.
   *
   * @param days the number of whole days until its end; negative when it is over
   * @param key its kind: ECDSA, RSA or EdDSA
   */
  record Certificate(String name, Instant expires, long days, boolean selfSigned, String key) {
    Certificate(GatewayStatus.Certificate shown, Instant now) {
      this(
          shown.name(),
          shown.expires(),
          Math.floorDiv(Duration.between(now, shown.expires()).toSeconds(), 86_400L),
          shown.selfSigned(),
          shown.key());
    }
  }

  /**
   * Room on the disk, in octets.
   *
   * @param free in the file system of the state directory; {@code null} when it is not known
   * @param sessions what the session store takes
   * @param sessionsMax what it may take
   * @param lost sessions that were not kept since the start
   * @param trouble why sessions are not kept now; empty when they are
   */
  record Disk(@Nullable Long free, long sessions, long sessionsMax, long lost, String trouble) {}

  /**
   * The meaning of the numbers of {@link #refusals}: mode observe only notes what it would refuse.
   */
  enum Counted {
    REFUSED("Refused", "refused", "refused sessions", "Refused sessions"),
    WOULD_BE(
        "Would be refused",
        "that would be refused",
        "sessions that a list would refuse",
        "Sessions that a list would refuse"),
    BOTH(
        "Refused or would be refused",
        "refused or that would be refused",
        "sessions that a list refused or would refuse",
        "Sessions that a list refused or would refuse");

    /** The beginning of a title. */
    final String title;

    /** The words after a noun. */
    final String which;

    final String sessions;

    /** The beginning of a sentence about the chart. */
    final String chart;

    Counted(String title, String which, String sessions, String chart) {
      this.title = title;
      this.which = which;
      this.sessions = sessions;
      this.chart = chart;
    }
  }

  /** The object of {@code report -o json}. */
  public JsonObject json() {
    return JsonValue.object()
        .put("since", time.since().toString())
        .put("until", time.until().toString())
        .put("zone", time.zone().toString())
        .put("host", host)
        .put("mode", mode.key())
        .put("sessions", sessions.toJson())
        .put("periods", JsonValue.ofStrings(time.periods().stream().map(Object::toString).toList()))
        .put("refused", JsonRecords.ofAll(refusals))
        .put("networks", counts("network", networks))
        .put("sender_domains", counts("sender_domain", domains))
        .put("accepted_listed", JsonRecords.ofAll(goodSenders))
        .put("feeds", JsonRecords.ofAll(feeds))
        .put("unused_allows", JsonRecords.ofAll(unusedAllows))
        .put(
            "certificate",
            certificates.isEmpty() ? JsonValue.NULL : JsonRecords.of(certificates.getFirst()))
        .put("certificates", JsonRecords.ofAll(certificates))
        .put("disk", JsonRecords.of(disk))
        .put("problems", JsonValue.ofStrings(problems))
        .build();
  }

  private static JsonArray counts(String name, List<Count> counts) {
    return new JsonArray(
        counts.stream()
            .<JsonValue>map(count ->
                JsonValue.object()
                    .put(name, count.what())
                    .put("sessions", count.sessions())
                    .build())
            .toList());
  }

  /**
   * The lines for a person.
   *
   * @param columns of a line at most, 0 for the usual ones
   */
  public String text(int columns) {
    return ReportText.of(this, columns);
  }

  /**
   * One page of HTML that needs no other file: no script, no address that could be loaded. Styles
   * are in the elements, because mail programs drop style sheets; the sheet adds dark colours where
   * the reader wants these. Some mail programs drop SVG: each number is in a table too. Less than
   * 100 kB whatever the report says.
   */
  public String html() {
    return TEMPLATES.html(
        new Filled(
            "report",
            Map.of(
                "title", ReportTables.title(this),
                "subtitle", ReportTables.subtitle(this),
                "tables", ReportTables.all(this, ReportTables.byPeriod(this, true)),
                "charted", ReportTables.titleByList(this),
                "chart", ReportChart.svg(this))));
  }

  Counted counted() {
    long observed = letThrough();
    return observed == 0
        ? Counted.REFUSED
        : observed == refused() ? Counted.WOULD_BE : Counted.BOTH;
  }

  /** The part of {@link #refused} that mode observe did not refuse. */
  long letThrough() {
    return refusals.stream().mapToLong(Refusals::letThrough).sum();
  }

  /** All that was refused, or would have been. */
  long refused() {
    return refusals.stream().mapToLong(Refusals::sessions).sum();
  }

  /**
   * The time that a report covers: hours up to two days, else days, or several days together.
   * Immutable.
   *
   * @param since the earliest moment
   * @param until the moment after the latest
   * @param zone whose hours and days are counted
   * @param periods the begin of each hour or day, the oldest first; the first may be before {@code
   *     since}
   */
  record ReportTime(Instant since, Instant until, ZoneId zone, List<Instant> periods) {

    /** A longer time is counted by days. */
    private static final Duration MAX_BY_HOUR = Duration.ofDays(2);

    /** Periods of a report at most; more days are counted several together. */
    private static final int MAX_DAYS = 62;

    private static final DateTimeFormatter MINUTE =
        DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY =
        DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);
    private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter MONTH_DAY =
        DateTimeFormatter.ofPattern("MM-dd", Locale.ROOT);

    static ReportTime of(Instant since, Instant until, ZoneId zone) {
      boolean hours = isByHour(since, until);
      ZonedDateTime end = until.atZone(zone);
      ZonedDateTime begin =
          since.atZone(zone).truncatedTo(hours ? ChronoUnit.HOURS : ChronoUnit.DAYS);
      long days = Math.ceilDiv(ChronoUnit.DAYS.between(begin, end) + 1, MAX_DAYS);
      List<Instant> periods = new ArrayList<>();
      for (ZonedDateTime at = begin;
          at.isBefore(end);
          at = hours ? at.plusHours(1) : at.plusDays(days)) {
        periods.add(at.toInstant());
      }
      return new ReportTime(since, until, zone, periods);
    }

    private static boolean isByHour(Instant since, Instant until) {
      return Duration.between(since, until).compareTo(MAX_BY_HOUR) <= 0;
    }

    /** True when the periods are hours. */
    boolean byHour() {
      return isByHour(since, until);
    }

    /** The number of the period of a moment, which is not before {@code since}. */
    int period(Instant at) {
      int found = Collections.binarySearch(periods, at);
      return found >= 0 ? found : Math.max(0, -found - 2);
    }

    /** A moment for people. */
    String minute(Instant at) {
      return MINUTE.format(at.atZone(zone));
    }

    /** The begin of a period for people. */
    String begin(int period) {
      return byHour() ? minute(periods.get(period)) : DAY.format(periods.get(period).atZone(zone));
    }

    /** The time that a period takes, behind a number of sessions. */
    String each() {
      if (byHour()) {
        return "an hour";
      }
      long days =
          periods.size() < 2
              ? 1
              : ChronoUnit.DAYS.between(periods.get(0).atZone(zone), periods.get(1).atZone(zone));
      return days == 1 ? "a day" : "in " + days + " days";
    }

    /**
     * The periods to name below a chart: midnight is among the hours.
     *
     * @param most of them, beside the first one
     */
    List<Integer> labelled(int most) {
      List<Integer> labelled = new ArrayList<>();
      int step = Math.ceilDiv(periods.size(), most);
      while (byHour() && 24 % step != 0) {
        step++;
      }
      for (int i = 0; i < periods.size(); i++) {
        int place = byHour() ? periods.get(i).atZone(zone).getHour() : i;
        if (place % step == 0) {
          labelled.add(i);
        }
      }
      return labelled;
    }

    /**
     * The begin of a period below a chart: hours need a date at the first one and at midnight.
     *
     * @param first true for the first one of the chart
     */
    String label(int period, boolean first) {
      ZonedDateTime begin = periods.get(period).atZone(zone);
      if (!byHour() || begin.getHour() == 0) {
        return MONTH_DAY.format(begin);
      }
      return (first ? MONTH_DAY.format(begin) + " " : "") + HOUR.format(begin);
    }

    /** All of it for people. */
    @Override
    public String toString() {
      return minute(since) + " to " + minute(until) + " (" + zone + ")";
    }
  }
}
