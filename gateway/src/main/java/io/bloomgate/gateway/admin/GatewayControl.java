package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsEdit;
import io.bloomgate.config.settings.yaml.EffectiveValue;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.gateway.alarm.Alarms;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.RecentCounts;
import io.bloomgate.gateway.report.ReportMail;
import io.bloomgate.gateway.score.FeedScores;
import io.bloomgate.gateway.score.Promoter;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.spam.SpamReports;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services of the running gateway that the handlers ask and change. Made once by the
 * composition root; used on the threads of control connections.
 *
 * @param current settings, those that count now
 * @param valuesInForce every setting with the value that counts now, and where it comes from: a
 *     file or environment that was read last, what the start read of settings that need a restart,
 *     and commands
 * @param editing changes the text of the settings file, where this user may
 * @param reload reads the settings file again and, when all of it is good, uses it from now on;
 *     true takes files of {@code domains} that lost most of their names
 * @param mode what is done with verdicts
 * @param blocklists feeds, the operator's entries, and the decisions that they give
 * @param sessions open SMTP sessions, and whether mail is taken
 * @param dnsLists the DNS lists of the settings
 * @param dnsAnswers asks DNS lists about a session; waits for their answers
 * @param greylist the senders that have to come again
 * @param campaigns the counters of copies of mails; {@code null} while {@code content.bulk} is not
 *     set
 * @param kept sessions
 * @param counts of the last hour and day
 * @param spam takes reports
 * @param shared what nodes of a fleet share by way of Redis; {@code null} when nothing is
 * @param together what they count together
 * @param health for monitors
 * @param status the state of everything
 * @param examined all that `doctor` examines
 * @param searches makes platform threads for work that computes for long and gives way to mail
 * @param works makes platform threads for work that others wait for
 * @param nanoTime monotonic time in nanoseconds
 * @param started the time of the start
 * @param version of the program
 */
public record GatewayControl(
    Supplier<Settings> current,
    Supplier<List<EffectiveValue>> valuesInForce,
    SettingsEdit.Editing editing,
    Function<Boolean, Reload> reload,
    ModeSwitch mode,
    Blocklists blocklists,
    SessionRegistry sessions,
    DnsListAnswers dnsLists,
    Explainer.DnsAnswers dnsAnswers,
    Greylist greylist,
    Supplier<@Nullable Campaigns> campaigns,
    SessionStore kept,
    RecentCounts counts,
    TailHub tail,
    SpamReports spam,
    ReportMail reports,
    Alarms alarms,
    FeedScores scores,
    Promoter promoter,
    @Nullable SharedLists shared,
    FleetHandler.Counts together,
    Supplier<Health> health,
    Supplier<GatewayStatus> status,
    Supplier<ExaminedGateway> examined,
    Supplier<List<String>> recentLog,
    ThreadFactory searches,
    ThreadFactory works,
    InstantSource clock,
    LongSupplier nanoTime,
    Instant started,
    String version) {

  /** The settings that count now. */
  Settings settings() {
    return current.get();
  }

  /** The operator's entries. */
  OperatorLists operator() {
    return blocklists.operator();
  }

  /** The time of day. */
  Instant now() {
    return clock.instant();
  }

  /** The seconds since the start. */
  long uptimeSeconds() {
    return now().getEpochSecond() - started.getEpochSecond();
  }

  /**
   * The outcome of a reload; nothing changed when it failed.
   *
   * @param problems of the file, errors and warnings
   * @param restartNeeded names of changed settings that count only after a restart
   */
  public record Reload(
      boolean done, List<Problem> problems, List<String> restartNeeded, String failure) {}
}
