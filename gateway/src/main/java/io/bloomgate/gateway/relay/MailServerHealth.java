package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.UnservedClients.Reach;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one server's answers to clients and probes say of it: whether it can be used, and when to
 * ask it again. Used by {@link MailServer} on session and probing threads; thread-safe.
 */
final class MailServerHealth {

  private static final Logger LOG = LoggerFactory.getLogger(MailServerHealth.class);

  /** Log lines a minute that tell of clients that are not served. */
  private static final int UNSERVED_LINES = 5;

  private final String server;
  private final UpstreamHealth health;
  private final UnservedClients unserved = new UnservedClients();
  private final WarningPace unservedWarnings;
  private final ProbeSchedule schedule;
  private final Ipv6Refusals ipv6 = new Ipv6Refusals();

  /**
   * It was never tried.
   *
   * @param server as logs name it
   * @param nanoTime a monotonic clock, nanoseconds
   */
  MailServerHealth(String server, UpstreamListener listener, LongSupplier nanoTime) {
    this.server = server;
    this.health = new UpstreamHealth(server, listener, nanoTime);
    this.unservedWarnings = new WarningPace(nanoTime, UNSERVED_LINES);
    this.schedule = new ProbeSchedule(nanoTime);
  }

  // ---- sessions

  /** No connection could be made for a client. */
  void failed(IpAddress client, UpstreamException e) {
    switch (e.speaks()) {
      case OF_SERVER -> health.failed(String.valueOf(e.getMessage()));
      case OF_CLIENT -> {
        warnUnserved(client, e);
        ipv6.refused(client, String.valueOf(e.getMessage()));
        lost(client, Reach.OPENING, e);
      }
      case OF_MOMENT -> {
        warnUnserved(client, e);
        schedule.doubt();
      }
    }
  }

  private void warnUnserved(IpAddress client, UpstreamException e) {
    unservedWarnings.say(more ->
        LOG.warn(
            "upstream {} does not serve client {}, whose mail is answered 451: {}{}",
            server,
            client,
            e.getMessage(),
            more));
  }

  /** What one client is refused says nothing of others; a probe finds out whether all are. */
  void lost(IpAddress client, Reach at, UpstreamException e) {
    schedule.doubt();
    unserved.add(client, at);
    if (unserved.tooMany() && health.worthTrying()) {
      health.failed(
          "it answers, but served none of the last "
              + UnservedClients.MAX_CLIENTS
              + " client networks; the newest: "
              + e.getMessage());
    }
  }

  /** A connection speaks for this client. */
  void opened(IpAddress client) {
    ipv6.served(client);
    served(Reach.OPENING);
  }

  /** Why clients with IPv6 addresses are not served; empty when they are, or none came. */
  String ipv6Problem() {
    return ipv6.problem();
  }

  /** A client was served up to here. */
  void served(Reach upTo) {
    unserved.served(upTo);
    if (!unserved.tooMany()) {
      health.served();
    }
  }

  // ---- probes

  /** The farthest that a client came who was not served since one was. */
  Reach farthestUnserved() {
    return unserved.farthest();
  }

  /** A probe was served. */
  void probed() {
    health.succeeded();
  }

  /** A probe was not served. */
  void probeFailed(UpstreamException e) {
    String reason = String.valueOf(e.getMessage());
    if (e.speaks() == UpstreamException.Speaks.OF_MOMENT) {
      health.busy(reason);
    } else {
      health.failed(reason);
    }
  }

  /**
   * Probes if it is down, ever more seldom, or up and did not serve a client. One that is well to
   * probes only is on trial then: the next client that it loses ends it.
   *
   * @param probe true when it went well
   */
  void probeIfDue(BooleanSupplier probe) {
    schedule.ifDue(health.isUp(), unserved::tooMany, probe);
  }

  // ---- how it stands

  boolean isUp() {
    return health.isUp();
  }

  /** False once it failed, until it was found well again. */
  boolean worthTrying() {
    return health.worthTrying();
  }

  /** True when it answers, for all that is known, and serves no client. */
  boolean servesNobody() {
    return unserved.tooMany();
  }

  /** Why it is down; empty when it is up or was never tried. */
  String problem() {
    return health.problem();
  }
}
