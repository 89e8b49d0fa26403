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
    DiskSpace space) {}
