package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.settings.FleetSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * The lease of the leader: one key with an expiry, and a number that is higher than those of the
 * leases before. What ends the lead of this node is the end of its lease or the loss of the server,
 * nothing else. Called by {@link FleetNodes} and {@link SharedLists} on the threads of the fleet;
 * methods throw {@code JedisException} when the server is lost.
 */
final class FleetLease {

  private static final Logger LOG = LoggerFactory.getLogger(FleetLease.class);

  /** Another node may lead when the leader's heartbeat was not seen for this time. */
  private static final long LEASE_MILLIS = 15_000;

  /** The time of a lead by the leader's own clock; the lease ends later. */
  static final Duration HELD = Duration.ofMillis(LEASE_MILLIS - 1_000);

  /** The leader before may have published as many that this node has not seen. */
  private static final long UNSEEN = 1_000_000;

  /** This node does not hold the lease. */
  private static final long NO_TERM = 0;

  private final FleetSettings settings;
  private final SharedLists.Surroundings around;
  private final String key;
  private final String start;
  private final String holder;
  private volatile long term = NO_TERM;
  private long confirmedNanos;

  FleetLease(FleetSettings settings, SharedLists.Surroundings around) {
    this.settings = settings;
    this.around = around;
    this.key = settings.keyPrefix() + "leader";
    this.start = around.word().get();
    this.holder = settings.node() + " " + start;
  }

  /** A random word of this start of the gateway. */
  String start() {
    return start;
  }

  /** The name of the node that a lease names. */
  static String holder(@Nullable String lease) {
    return String.valueOf(lease).split(" ", 2)[0];
  }

  /** The server is lost: another node may get the lease. */
  void lost() {
    lead(NO_TERM);
  }

  /** Keeps the number of the lease that this node holds, and passes it on where it has changed. */
  private synchronized void lead(long now) {
    if (now != term) {
      term = now;
      LOG.info(
          "fleet: this node {}",
          now == NO_TERM ? "does not lead now" : "leads now, lease number " + now);
      around.lead().accept(now);
    }
  }

  /** Takes or prolongs the lease where this node may lead; to be called each second. */
  void beat(RedisServer server) {
    long began = around.nanoTime().getAsLong();
    lead(settings.mayLead() ? taken(server) : NO_TERM, began);
  }

  /** The same, of a lease that Redis confirmed after this time. */
  synchronized void lead(long now, long askedNanos) {
    confirmedNanos = askedNanos;
    lead(isOver() ? NO_TERM : now);
  }

  /** Ends the lead of this node when Redis did not confirm it in time, whatever it is doing. */
  synchronized void endInTime() {
    if (leads() && isOver()) {
      lead(NO_TERM);
    }
  }

  private boolean isOver() {
    return around.nanoTime().getAsLong() - confirmedNanos > HELD.toNanos();
  }

  /**
   * The lease is taken by the first that may lead, and kept while its heartbeat goes on. What it
   * publishes has numbers from that of the lease on, so that followers refuse what a leader
   * publishes that was replaced and has not noticed it, as after a pause.
   */
  private long taken(RedisServer server) {
    String found = server.commands().get(key);
    if (holder.equals(found)) {
      server.commands().pexpire(key, LEASE_MILLIS); // also where Redis is full
      return leads() ? term : newTerm(server);
    }
    SetParams free = SetParams.setParams().nx().px(LEASE_MILLIS);
    return found == null && server.commands().set(key, holder, free) != null
        ? newTerm(server)
        : NO_TERM;
  }

  /**
   * Makes a number by the clock of Redis, above all that were published. Only where numbers are
   * ahead of that clock it leaves room for those that this node has not seen.
   */
  private long newTerm(RedisServer server) {
    long now = server.millis();
    long seen = around.highestNumber().getAsLong();
    return seen < now ? now : seen + UNSEEN;
  }

  /** This node goes: another one may lead at once. */
  void leave(RedisServer server) {
    if (leads()) {
      lead(NO_TERM);
      try {
        if (holder.equals(server.commands().get(key))) {
          server.commands().del(key);
        }
      } catch (JedisException e) {
        // The lease ends by itself.
      }
    }
  }

  /** True while this node holds the lease of the leader. */
  boolean leads() {
    return term != NO_TERM;
  }
}
