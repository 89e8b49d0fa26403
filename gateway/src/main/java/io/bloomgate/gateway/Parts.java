package io.bloomgate.gateway;

import io.bloomgate.blocklists.Blocklists;
import io.bloomgate.blocklists.greylist.Greylist;
import io.bloomgate.gateway.dns.DnsListAnswers;
import io.bloomgate.gateway.log.DecisionLog;
import io.bloomgate.gateway.log.TailHub;
import io.bloomgate.gateway.metrics.VerdictCounts;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.XclientMemory;
import io.bloomgate.gateway.session.SessionRegistry;
import io.bloomgate.gateway.sessions.SessionStore;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.util.ArrayList;
import java.util.List;

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
    Housekeeping housekeeping,
    DiskSpace space) {

  /** What is wrong with parts, a sentence each; the caller may add more. */
  List<String> alarms() {
    List<String> alarms = new ArrayList<>(dnsLists.alarms());
    alarms.addAll(kept.alarms());
    alarms.addAll(space.alarms());
    alarms.addAll(certificate.alarms());
    alarms.addAll(answers.alarms());
    alarms.addAll(greylist.alarms());
    return alarms;
  }
}
