package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.Upstream;
import java.time.Duration;
import java.util.function.Supplier;

/** Copies of environments and settings with something else in them, for {@link TestGateway}. */
final class Environments {

  private Environments() {}

  /** With other settings and what follows from them. */
  static SessionEnvironment with(SessionEnvironment e, Settings settings, Supplier<Policy> policy) {
    return new SessionEnvironment(
        settings,
        e.listener(),
        e.domains(),
        policy,
        e.mode(),
        e.putsMailOff(),
        e.lists(),
        e.dnsLists(),
        e.names(),
        e.mailLimits(),
        e.greylist(),
        e.upstream(),
        e.answers(),
        e.incidents(),
        e.telemetry(),
        e.paces(),
        e.clock(),
        e.nanoTime(),
        e.ids(),
        e.reading(),
        e.tls());
  }

  /** With another way to read the content of mails. */
  static SessionEnvironment reading(SessionEnvironment e, ContentReading reading) {
    return new SessionEnvironment(
        e.settings(),
        e.listener(),
        e.domains(),
        e.policy(),
        e.mode(),
        e.putsMailOff(),
        e.lists(),
        e.dnsLists(),
        e.names(),
        e.mailLimits(),
        e.greylist(),
        e.upstream(),
        e.answers(),
        e.incidents(),
        e.telemetry(),
        e.paces(),
        e.clock(),
        e.nanoTime(),
        e.ids(),
        reading,
        e.tls());
  }

  /** With another mail server and another witness, and nothing that asks DNS or greylists. */
  static SessionEnvironment relayingTo(
      SessionEnvironment e, Upstream upstream, AnswerMemory answers, Telemetry witness) {
    return new SessionEnvironment(
        e.settings(),
        e.listener(),
        e.domains(),
        e.policy(),
        e.mode(),
        e.putsMailOff(),
        e.lists(),
        DnsLists.NONE,
        ClientNames.OFF,
        e.mailLimits(),
        Greylisting.NONE,
        upstream,
        answers,
        e.incidents(),
        witness,
        e.paces(),
        e.clock(),
        e.nanoTime(),
        e.ids(),
        e.reading(),
        e.tls());
  }

  /** With timeouts that may be below what a settings file allows. */
  static Settings hurried(Settings s, Duration command, Duration data, Duration session) {
    Settings.Limits l = s.limits();
    Settings.Limits limits =
        new Settings.Limits(
            l.messageSizeOctets(),
            l.recipients(),
            l.commandLineOctets(),
            l.headerSizeOctets(),
            l.hops(),
            command,
            data,
            l.minDataRateOctetsPerSecond(),
            session,
            l.errors(),
            l.commands(),
            l.mime());
    return new Settings(
        s.mode(),
        s.hostname(),
        s.domains(),
        s.stateDir(),
        s.listeners(),
        s.downstream(),
        s.tls(),
        limits,
        s.rates(),
        s.policy(),
        s.greylist(),
        s.bulk(),
        s.dns(),
        s.feeds(),
        s.signs(),
        s.rules(),
        s.allow(),
        s.block(),
        s.filter(),
        s.log(),
        s.sessions(),
        s.report(),
        s.admin(),
        s.fleet());
  }
}
