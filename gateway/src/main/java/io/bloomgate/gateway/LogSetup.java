package io.bloomgate.gateway;

import io.bloomgate.config.settings.LogSettings.Target;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.DecisionLine;
import io.bloomgate.gateway.log.DecisionLog;

/** The settings of the decision log as the log takes them. Pure; at start and at each reload. */
final class LogSetup {

  private LogSetup() {}

  static DecisionLog.Setup of(Settings settings, Platform world) {
    // systemd sets JOURNAL_STREAM when standard output goes to the journal (systemd.exec(5)).
    boolean journald =
        settings.log().target() instanceof Target.Stdout
            && world.environment().containsKey("JOURNAL_STREAM");
    return new DecisionLog.Setup(
        new DecisionLine(
            settings.log().format(),
            settings.log().privacy(),
            shortName(settings.hostname()),
            settings.log().tag(),
            world.pid(),
            journald,
            world.zone()),
        settings.log().target());
  }

  /** As syslog writes it: without the domain. */
  private static String shortName(String hostname) {
    int dot = hostname.indexOf('.');
    return dot > 0 ? hostname.substring(0, dot) : hostname;
  }
}
