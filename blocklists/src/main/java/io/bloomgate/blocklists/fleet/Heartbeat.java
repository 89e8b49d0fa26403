package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.time.Duration;
import java.util.function.LongSupplier;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Tells the other nodes each second that this one is here, and watches that Redis answers. {@link
 * SharedLists} calls it on two threads.
 */
final class Heartbeat {

  private static final long BEAT_NANOS = 1_000_000_000L;

  /** A heartbeat without an answer for this time is a fault; a slow server is not. */
  private static final Duration MOST_SILENCE = Duration.ofSeconds(10);

  private static final long IDLE_MILLIS = 200;

  private final RedisAddress address;
  private final FleetNodes fleet;
  private final FleetLease lease;
  private final EntrySync sync;
  private final FleetThreads threads;
  private final FleetTroubles troubles;
  private final LongSupplier nanoTime;
  private long nextBeat;

  /** The time when Redis answered the last heartbeat, or was known to be lost. */
  private volatile long beatNanos;

  Heartbeat(
      RedisAddress address,
      FleetNodes fleet,
      FleetLease lease,
      EntrySync sync,
      FleetThreads threads,
      FleetTroubles troubles,
      LongSupplier nanoTime) {
    this.address = address;
    this.fleet = fleet;
    this.lease = lease;
    this.sync = sync;
    this.threads = threads;
    this.troubles = troubles;
    this.nanoTime = nanoTime;
    this.nextBeat = nanoTime.getAsLong();
    this.beatNanos = nextBeat;
  }

  /** Beats when it is time, and rests. */
  void beat() {
    RedisServer server = sync.server();
    long now = nanoTime.getAsLong();
    if (server == null || now - nextBeat < 0) {
      beatNanos = server == null ? now : beatNanos;
    } else {
      nextBeat = now + BEAT_NANOS;
      try {
        fleet.beat(server);
        troubles.works(Work.BEAT, address);
        beatNanos = nanoTime.getAsLong();
      } catch (JedisDataException e) {
        troubles.failed(Work.BEAT, RedisException.of(address, e).sentence() + leadsOn());
        beatNanos = nanoTime.getAsLong();
      } catch (JedisException e) {
        // The reader notices and reports it, or what watches the heartbeat.
      }
    }
    threads.pause(IDLE_MILLIS);
  }

  /** A server that is full still prolongs the lease: the leader goes on with what it has. */
  private String leadsOn() {
    return lease.leads() ? "; this node leads on until its lease ends" : "";
  }

  /** A server that takes changes slowly keeps the thread of the heartbeat, not this one. */
  void watch() {
    lease.endInTime();
    if (nanoTime.getAsLong() - beatNanos > MOST_SILENCE.toNanos()) {
      troubles.failed(
          Work.BEAT,
          "%s has not answered the heartbeat for %d s; look at the server, and at the network to it"
              .formatted(address, MOST_SILENCE.toSeconds()));
    }
    threads.pause(IDLE_MILLIS);
  }
}
