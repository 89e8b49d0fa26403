package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.config.settings.EffectiveValue;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Problem;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.relay.MailRoutes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The part of the running gateway that the handlers can see and change. Implemented by the
 * composition root; called on the threads of control connections.
 */
public interface GatewayControl {

  /** The settings that count now. */
  Settings settings();

  /**
   * Every setting with the value that counts now, and where it comes from: a file or environment
   * that was read last, what the start read of settings that need a restart, and commands.
   */
  List<EffectiveValue> valuesInForce();

  /** The mode and where it comes from. */
  ModeState mode();

  /** False while no lists are loaded. */
  boolean ready();

  /** The lists: feeds, the operator's entries, and the decisions that they give. */
  Blocklists blocklists();

  /** The mail servers behind us. */
  MailRoutes upstream();

  /** Asks DNS lists about a session; waits for their answers. */
  Explainer.DnsReport dnsAnswers(Facts keys);

  /** The DNS lists of the settings with their state. */
  List<DnsListAnswers.State> dnsLists();

  /**
   * The reason why the last reload changed nothing; empty when it was good, or none was asked for.
   */
  String failedReload();

  /** Says what happens to mail while no lists are loaded. */
  String withoutLists();

  /** Names of threads that the gateway needs and that ended or hang. */
  List<String> lateThreads();

  /**
   * The problems of DNS lists, the free space of the state directory, the certificate that STARTTLS
   * shows, the answers that are remembered for single recipients, greylisting, and feeds that
   * evidence moved; a sentence each.
   */
  List<String> partsAlarms();

  /** The senders that have to come again. */
  Greylist greylist();

  /** The counters of copies of mails; {@code null} while {@code content.bulk} is not set. */
  @Nullable Campaigns campaigns();

  /** All that `doctor` examines. */
  ExaminedGateway examined();

  /** Open SMTP sessions. */
  int sessions();

  /** Time since the start. */
  Duration uptime();

  /** The time of day. */
  Instant now();

  /** Version of the program. */
  String version();

  /**
   * Reads the settings file again and, when all of it is good, uses it from now on.
   *
   * @return what happened; nothing changed when it failed
   */
  Reload reload();

  /** Takes no more mail: idle sessions get 421, messages in flight finish. */
  void drain();

  /** Takes mail again; false when the gateway is ending. */
  boolean resume();

  /** True between {@link #drain} and {@link #resume}, and at the end. */
  boolean draining();

  /** The reason why no mail should be sent here, for monitors; empty when it may come. */
  default Optional<String> unready() {
    if (draining()) {
      return Optional.of("draining");
    }
    return ready() ? Optional.empty() : Optional.of("no lists are loaded");
  }

  /**
   * Sets the mode over that of the settings file, until the next start or for a while.
   *
   * @param duration {@code null} until the next start
   */
  void setMode(Mode mode, @Nullable Duration duration);

  /**
   * The mode at one moment.
   *
   * @param effective what is done with verdicts now
   * @param configured what the settings file says
   * @param override what {@code bloomgate mode} said, {@code null} when nothing
   * @param until end of the override, {@code null} for none
   */
  record ModeState(
      Mode effective, Mode configured, @Nullable Mode override, @Nullable Instant until) {}

  /**
   * The outcome of a reload.
   *
   * @param problems of the file, errors and warnings
   * @param restartNeeded names of changed settings that count only after a restart
   */
  record Reload(boolean done, List<Problem> problems, List<String> restartNeeded, String failure) {
    public Reload {
      problems = List.copyOf(problems);
      restartNeeded = List.copyOf(restartNeeded);
    }
  }
}
