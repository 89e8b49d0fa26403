package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.config.settings.SettingsEdit;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.status.GatewayStatus;
import io.bloomgate.gateway.status.GatewayStatus.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services of the running gateway that the handlers ask and change. Made once by the
 * composition root; used on the threads of control connections.
 *
 * @param settings those that count now
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
 * @param health for monitors
 * @param status the state of everything
 * @param examined all that `doctor` examines
 * @param clock the time of day
 * @param started the time of the start
 * @param version of the program
 */
public record GatewayControl(
    Supplier<Settings> settings,
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
    Supplier<Health> health,
    Supplier<GatewayStatus> status,
    Supplier<ExaminedGateway> examined,
    InstantSource clock,
    Instant started,
    String version) {

  /** The time since the start. */
  Duration uptime() {
    return Duration.between(started, clock.instant());
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
