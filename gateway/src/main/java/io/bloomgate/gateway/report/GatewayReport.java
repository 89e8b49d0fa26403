package io.bloomgate.gateway.report;

import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionSearch.Count;
import io.bloomgate.config.json.JsonRecords.Named;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.status.GatewayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All figures of a report, bounded whatever the store holds. Names are as they came from outside.
 * Immutable; made by {@link Reports}, shown by {@link ReportText}, {@link ReportHtml} and {@link
 * ReportJson}.
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
record GatewayReport(
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

  GatewayReport {
    refusals = List.copyOf(refusals);
    networks = List.copyOf(networks);
    domains = List.copyOf(domains);
    goodSenders = List.copyOf(goodSenders);
    feeds = List.copyOf(feeds);
    unusedAllows = List.copyOf(unusedAllows);
    certificates = List.copyOf(certificates);
    problems = List.copyOf(problems);
  }

  /**
   * The refusals of one list, or of several together.
   *
   * @param letThrough of these, sessions that mode observe did not refuse
   * @param byPeriod for each of {@link ReportTime#periods}
   */
  record Refusals(String list, long sessions, long letThrough, List<Long> byPeriod) {
    Refusals {
      byPeriod = List.copyOf(byPeriod);
    }
  }

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
}
