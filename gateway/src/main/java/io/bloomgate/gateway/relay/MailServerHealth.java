package io.bloomgate.gateway.relay;

import io.bloomgate.config.name.ClientNetwork;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.WarningPace;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of one mail server, learnt from its answers to clients and probes: whether it can be
 * used, which clients it does not serve, and when to probe it again. Used by {@link MailServer} on
 * session and probing threads; thread-safe.
 *
 * <p>A server is down after a failure that concerns every client, or when {@link #MAX_UNSERVED}
 * client networks in a row were not served, or when it answers probes with 421 for {@link
 * #LONG_BUSY}. A session or a probe that is served brings it up again. Only changes are logged, and
 * a bounded number of them a minute: where a server accepts some connections and refuses others,
 * each client brings a change.
 */
final class MailServerHealth {

  /**
   * A server may answer every probe with 421 for this long and still count as up: perhaps its own
   * connection limit is reached, and the clients that reached it must not be able to move all mail
   * to a backup server.
   */
  static final Duration LONG_BUSY = Duration.ofMinutes(2);

  /** This many client networks in a row that are not served make a server count as down. */
  static final int MAX_UNSERVED = 5;

  /**
   * This many IPv6 networks in a row must be refused before the server is blamed, once it served
   * one IPv6 client; before that, one is enough.
   */
  private static final int MAX_REFUSED_IPV6 = 3;

  /** A server that is down is probed after this, then after twice as long, and so on. */
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(5);

  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(1);

  /** Log lines a minute of each kind. */
  private static final int LINES = 5;

  private static final Logger LOG = LoggerFactory.getLogger(MailServerHealth.class);

  private final String server;
  private final LongSupplier nanoTime;
  private final WarningPace failures;
  private final WarningPace recoveries;
  private final WarningPace unservedWarnings;

  // Guarded by this; volatile where sessions read it without the monitor.
  private boolean tried;
  private volatile boolean up;
  private String problem = "";

  /** Start of answering probes with 421 while nobody is served; {@code null} when not so. */
  private volatile @Nullable Long busySinceNanos;

  private final Set<IpAddress> unserved = HashSet.newHashSet(MAX_UNSERVED);
  private Reach farthestUnserved = Reach.OPENING;
  private volatile boolean anyUnserved;

  private final Set<IpAddress> refusedIpv6 = HashSet.newHashSet(MAX_REFUSED_IPV6);
  private boolean everServedIpv6;
  private String newestIpv6Refusal = "";

  /** Set when a client was not served: a probe must find out about the others. */
  private final AtomicBoolean doubted = new AtomicBoolean();

  private final AtomicBoolean probing = new AtomicBoolean();
  // Both belong to the thread that set probing.
  private long probeDueNanos;
  private Duration backOff = FIRST_BACK_OFF;

  /** Steps of a client's way, in this order. */
  enum Reach {
    /** Lasts until the server knows the client. */
    OPENING,
    /** Lasts until the server has accepted MAIL. */
    ENVELOPE,
    /** Lasts until the server has answered the message. */
    MESSAGE
  }

  /**
   * The server was never tried.
   *
   * @param server its name in logs
   * @param nanoTime a monotonic clock, nanoseconds
   */
  MailServerHealth(String server, LongSupplier nanoTime) {
    this.server = server;
    this.nanoTime = nanoTime;
    this.failures = new WarningPace(nanoTime, LINES);
    this.recoveries = new WarningPace(nanoTime, LINES);
    this.unservedWarnings = new WarningPace(nanoTime, LINES);
    this.probeDueNanos = nanoTime.getAsLong();
  }

  // ---- reports of sessions

  /** No connection could be opened for a client. */
  void failed(IpAddress client, UpstreamException e) {
    switch (e.concerns()) {
      case SERVER -> setDown(String.valueOf(e.getMessage()));
      case CLIENT -> {
        warnUnserved(client, e);
        if (!client.isV4()) {
          refusedIpv6(client, String.valueOf(e.getMessage()));
        }
        lost(client, Reach.OPENING, e);
      }
      case MOMENT -> {
        warnUnserved(client, e);
        doubted.set(true);
      }
    }
  }

  private void warnUnserved(IpAddress client, UpstreamException e) {
    unservedWarnings.say(more ->
        LOG.warn(
            "mail server {} does not serve client {}, whose mail is answered 451: {}{}",
            server,
            client,
            e.getMessage(),
            more));
  }

  /**
   * The server gave up on a client. That says nothing about other clients; a probe finds out.
   *
   * @param at what the server did not do
   */
  synchronized void lost(IpAddress client, Reach at, UpstreamException e) {
    doubted.set(true);
    if (unserved.size() < MAX_UNSERVED) {
      unserved.add(ClientNetwork.of(client));
    }
    if (at.compareTo(farthestUnserved) > 0) {
      farthestUnserved = at;
    }
    anyUnserved = true;
    if (servesNobody() && worthTrying()) {
      setDown(
          "it answers, but served none of the last "
              + MAX_UNSERVED
              + " client networks; the newest: "
              + e.getMessage());
    }
  }

  /** A connection was opened in the name of this client. */
  void opened(IpAddress client) {
    if (!client.isV4()) {
      servedIpv6();
    }
    served(Reach.OPENING);
  }

  /** A client was served up to here. Called for each message: costs nothing while all is well. */
  void served(Reach upTo) {
    if (anyUnserved || !up || busySinceNanos != null) {
      noteServed(upTo);
    }
  }

  /**
   * A client that was served up to an earlier step proves nothing about a client that failed at a
   * later one.
   */
  private synchronized void noteServed(Reach upTo) {
    if (upTo.compareTo(farthestUnserved) >= 0) {
      unserved.clear();
      farthestUnserved = Reach.OPENING;
      anyUnserved = false;
    }
    if (!servesNobody()) {
      setUp();
    }
  }

  // ---- probes

  /** Returns the farthest step of the unserved clients since a client was last served. */
  synchronized Reach farthestUnserved() {
    return farthestUnserved;
  }

  /** A probe was served. */
  void probed() {
    setUp();
  }

  /** A probe was not served. */
  void probeFailed(UpstreamException e) {
    String reason = String.valueOf(e.getMessage());
    if (e.concerns() == UpstreamException.Concerns.MOMENT) {
      busy(reason);
    } else {
      setDown(reason);
    }
  }

  /** One 421 says nothing while clients are served in between. */
  private synchronized void busy(String reason) {
    long now = nanoTime.getAsLong();
    Long since = busySinceNanos;
    if (since == null) {
      busySinceNanos = now;
    }
    if (!up || (since != null && now - since >= LONG_BUSY.toNanos())) {
      setDown(reason);
    }
  }

  /**
   * Probes a server that is down, at growing intervals, or one that is up and did not serve a
   * client. Does nothing while another probe is under way. Where probes succeed and clients are
   * still not served, the interval grows too.
   *
   * @param probe true when it succeeded
   */
  void probeIfDue(BooleanSupplier probe) {
    if (probing.compareAndSet(false, true)) {
      try {
        probeUnlessWell(probe);
      } finally {
        probing.set(false);
      }
    }
  }

  private void probeUnlessWell(BooleanSupplier probe) {
    if (up && !doubted.get()) {
      if (!servesNobody()) {
        backOff = FIRST_BACK_OFF;
      }
      return;
    }
    if (nanoTime.getAsLong() - probeDueNanos < 0) {
      return;
    }
    // Before the probe: a client that is not served during the probe is a new doubt.
    doubted.set(false);
    boolean well = probe.getAsBoolean();
    probeDueNanos = nanoTime.getAsLong() + backOff.toNanos();
    if (!well || servesNobody()) {
      Duration twice = backOff.multipliedBy(2);
      backOff = twice.compareTo(LONGEST_BACK_OFF) < 0 ? twice : LONGEST_BACK_OFF;
    }
  }

  // ---- up and down

  private synchronized void setUp() {
    busySinceNanos = null;
    if (!up && tried) {
      recoveries.say(more -> LOG.info("mail server {} can be used again{}", server, more));
    }
    tried = true;
    up = true;
    problem = "";
  }

  private synchronized void setDown(String reason) {
    if (!reason.equals(problem)) {
      failures.say(more ->
          LOG.warn(
              "mail server {} cannot be used; mail is answered 451 if no other can be used: {}{}",
              server,
              reason,
              more));
    }
    tried = true;
    up = false;
    problem = reason;
  }

  boolean isUp() {
    return up;
  }

  /** False from the first failure until the server is found well again. */
  synchronized boolean worthTrying() {
    return up || !tried;
  }

  /** True when the server answers but served none of the last {@link #MAX_UNSERVED} networks. */
  synchronized boolean servesNobody() {
    return unserved.size() >= MAX_UNSERVED;
  }

  /** Returns why the server is down, printable; empty when it is up or was never tried. */
  synchronized String problem() {
    return problem;
  }

  // ---- clients with IPv6 addresses: a server without IPv6 refuses each of them for ever

  private synchronized void refusedIpv6(IpAddress client, String reason) {
    newestIpv6Refusal = reason;
    if (refusedIpv6.size() < MAX_REFUSED_IPV6) {
      refusedIpv6.add(ClientNetwork.of(client));
    }
  }

  private synchronized void servedIpv6() {
    everServedIpv6 = true;
    refusedIpv6.clear();
    newestIpv6Refusal = "";
  }

  /** Returns why clients with IPv6 addresses are not served; empty when they are, or none came. */
  synchronized String ipv6Problem() {
    boolean blameServer = refusedIpv6.size() >= (everServedIpv6 ? MAX_REFUSED_IPV6 : 1);
    return blameServer ? newestIpv6Refusal : "";
  }
}
