package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.settings.FleetSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.args.ExpiryOption;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * The lease of the leader, and its number. What ends the lead of this node is the end of its lease
 * or the loss of the server, nothing else. Called by {@link FleetNodes} and {@link SharedLists} on
 * the threads of the fleet; methods throw {@code JedisException} when the server is lost.
 */
final class FleetLease {

  private static final Logger LOG = LoggerFactory.getLogger(FleetLease.class);

  /** Another node may lead when the leader's heartbeat was not seen for this time. */
  private static final long LEASE_MILLIS = 15_000;

  /** By its own clock a leader ends before the lease does. */
  static final Duration HELD = Duration.ofMillis(LEASE_MILLIS - 1_000);

  /** A number that is further ahead no node gave: it is one more for each lease. */
  private static final long MOST_TERMS = 1_000;

  /** This node does not hold the lease. */
  private static final long NO_TERM = 0;

  private final FleetSettings settings;
  private final SharedLists.Surroundings around;
  private final String start;
  private final String holder;
  private volatile long term = NO_TERM;
  private long confirmedNanos;

  FleetLease(FleetSettings settings, SharedLists.Surroundings around) {
    this.settings = settings;
    this.around = around;
    this.start = around.word().get();
    this.holder = settings.node() + " " + start;
  }

  /** A random word of this start of the gateway. */
  String start() {
    return start;
  }

  private String key(String name) {
    return settings.keyPrefix() + name;
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
   * The lease is taken by the first that may lead, and kept while its heartbeat goes on. Each lease
   * has a number above those before, by which followers refuse what a leader publishes that was
   * replaced and has not noticed it, as after a pause.
   */
  private long taken(RedisServer server) {
    String lease = key("leader");
    SetParams free = SetParams.setParams().nx().px(LEASE_MILLIS);
    String found = FleetNodes.healed(server, lease, () -> server.commands().get(lease));
    if (found == null) {
      return server.commands().set(lease, holder, free) == null ? NO_TERM : newTerm(server);
    }
    if (!found.equals(holder)) {
      shorten(server, lease);
      return NO_TERM;
    }
    server.commands().pexpire(lease, LEASE_MILLIS);
    // Another node may have taken a number for a lease that it had lost already.
    String counter = key("leader:term");
    return leads()
            && Long.toString(term)
                .equals(FleetNodes.healed(server, counter, () -> server.commands().get(counter)))
        ? term
        : newTerm(server);
  }

  /** What no gateway took may have no end; it gets one, so that somebody leads again. */
  private static void shorten(RedisServer server, String lease) {
    try {
      server.commands().pexpire(lease, LEASE_MILLIS, ExpiryOption.LT);
    } catch (JedisDataException e) {
      // A server before Redis 7 knows no such option.
    }
  }

  /** Above all that were given, also where Redis has lost them or has a number of nobody. */
  private long newTerm(RedisServer server) {
    String counter = key("leader:term");
    long seen = around.highestTerm().getAsLong();
    // by the clock of Redis, which all nodes have in common
    long least = Math.max(seen, server.millis() / 1_000);
    long found = number(FleetNodes.healed(server, counter, () -> server.commands().get(counter)));
    if (found < seen || found > least + MOST_TERMS) {
      server.commands().set(counter, Long.toString(least));
    }
    long next = server.commands().incr(counter);
    return holder.equals(server.commands().get(key("leader"))) ? next : NO_TERM;
  }

  private static long number(@Nullable String text) {
    try {
      return text == null ? -1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** This node goes: another one may lead at once. */
  void leave(RedisServer server) {
    if (leads()) {
      lead(NO_TERM);
      try {
        if (holder.equals(server.commands().get(key("leader")))) {
          server.commands().del(key("leader"));
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
