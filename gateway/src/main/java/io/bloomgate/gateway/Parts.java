package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.SessionKeys;
import io.bloomgate.blocklists.explain.Explainer;
import io.bloomgate.blocklists.fleet.SharedLists;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.XclientMemory;
import io.bloomgate.gateway.session.MailLimits;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The parts that live as long as the gateway, whatever the settings become. Made by {@link
 * Gateway}, which closes them; used by {@link LiveGateway}.
 */
record Parts(
    Blocklists blocklists,
    SessionRegistry sessions,
    DecisionLog log,
    SessionStore kept,
    IncidentLookup quotedIds,
    VerdictCounts counts,
    FiguresFile figures,
    TailHub tail,
    SenderWatch watch,
    ServerCertificate certificate,
    XclientMemory xclient,
    ClientNames names,
    DnsListAnswers dnsLists,
    AnswerMemory answers,
    Greylist greylist,
    CampaignsInUse campaigns,
    MailLimits mailLimits,
    FleetCounting counting,
    Housekeeping housekeeping,
    DiskSpace space,
    @Nullable SharedLists fleet) {

  /** Connects to Redis, where this gateway is a node of a fleet. */
  void joinFleet(Supplier<Settings> settings, Supplier<Instant> now) {
    if (fleet != null) {
      fleet.start();
    }
    counting.join(this, settings, now);
  }

  /** What other nodes did and could not be done here. */
  long fleetSkipped() {
    return fleet == null ? 0 : fleet.skipped();
  }

  /** How often records of other nodes were missing. */
  long fleetGaps() {
    return fleet == null ? 0 : fleet.gaps();
  }

  /** Threads of the fleet that failed and went on. */
  long fleetFaults() {
    return fleet == null ? 0 : fleet.faults();
  }

  /** What is wrong with parts, a sentence each; the caller may add more. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>(dnsLists.alarms());
    alarms.addAll(kept.alarms());
    alarms.addAll(space.alarms());
    alarms.addAll(certificate.alarms());
    alarms.addAll(answers.alarms());
    alarms.addAll(greylist.alarms());
    if (fleet != null) {
      alarms.addAll(fleet.alarms());
    }
    if (fleet != null && fleet.isConnected() && !counting.fault().isEmpty()) {
      alarms.add("fleet counts: " + counting.fault());
    }
    return alarms;
  }

  /** Answers of DNS lists about a session; a client's name is looked up where a check wants it. */
  Explainer.DnsReport dnsAnswers(SessionKeys keys) {
    IpPrefix client = keys.client();
    boolean unknown = keys.seen().name().equals(ClientName.UNKNOWN);
    if (client == null || !client.isHost() || !unknown || !blocklists.policy().wantsClientName()) {
      return dnsLists.about(keys);
    }
    ClientName name = names.lookUp(client.network()).await().fact();
    return dnsLists.about(keys.withSeen(keys.seen().withName(name)));
  }
}
