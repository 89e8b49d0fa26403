package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.PolicyFactory;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The services of sessions by name, for {@link TestGateway}: what a test does not set knows nobody,
 * asks nobody and limits nothing.
 */
final class ServicesBuilder {

  final AtomicInteger ids = new AtomicInteger();
  final Supplier<String> newId = () -> String.format("TESTID%04d", ids.incrementAndGet());
  final LongSupplier nanoTime;
  final RecordPaces paces;
  final MailLimits mailLimits;
  Settings settings;
  Settings.Listener listener;
  OwnDomains domains;
  Policy policy;
  Supplier<Mode> mode = () -> Mode.ENFORCE;
  Supplier<Lists> lists;
  Upstream upstream;
  AnswerMemory answers = AnswerMemory.none();
  private final BiFunction<IpAddress, List<String>, List<String>> incidents;
  Telemetry telemetry;
  DnsLists dnsLists = DnsLists.NONE;
  ContentReading reading = reading(null);
  @Nullable Supplier<CertificateChoice> tls;

  /** Of the first listener of these settings. */
  ServicesBuilder(
      Settings settings,
      Supplier<Lists> lists,
      Upstream upstream,
      BiFunction<IpAddress, List<String>, List<String>> incidents,
      Telemetry telemetry,
      LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.paces = new RecordPaces(nanoTime, newId);
    this.mailLimits = new MailLimits(nanoTime);
    this.settings = settings;
    this.listener = settings.listeners().values().iterator().next();
    this.domains = OwnDomains.of(settings.domains());
    this.policy = PolicyFactory.policy(settings, Set.of(), List.of(), List.of());
    this.lists = lists;
    this.upstream = upstream;
    this.incidents = incidents;
    this.telemetry = telemetry;
  }

  /** Two processors; {@code null} for no counters of copies. */
  static ContentReading reading(@Nullable Campaigns campaigns) {
    return new ContentReading(0, campaigns, SpamIntake.NONE, Thread.ofVirtual()::start, 2);
  }

  SessionServices build() {
    Policy decides = policy;
    return new SessionServices(
        settings,
        listener,
        domains,
        tls,
        () -> decides,
        mode,
        () -> false,
        lists,
        dnsLists,
        ClientNames.OFF,
        mailLimits,
        Greylisting.NONE,
        upstream,
        answers,
        incidents,
        SessionServices.Reporting.of(telemetry, paces, newId, nanoTime),
        reading,
        InstantSource.system(),
        nanoTime);
  }
}
