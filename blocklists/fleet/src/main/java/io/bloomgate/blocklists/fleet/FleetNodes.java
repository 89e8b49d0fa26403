package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetNode.Beat;
import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Says who is in the fleet: this node's heartbeat each second and its place, and the other nodes;
 * watches that Redis answers. {@link FleetLease} has the lease of the leader. Called by {@link
 * SharedLists} on its threads and on those of commands; methods that take a server throw {@code
 * JedisException} when it is lost, but for the heartbeat.
 */
final class FleetNodes {

  private static final Logger LOG = LoggerFactory.getLogger(FleetNodes.class);

  private static final long BEAT_NANOS = 1_000_000_000L;

  /** A heartbeat without an answer for this time is a fault; a slow server is not. */
  private static final Duration MOST_SILENCE = Duration.ofSeconds(10);

  private static final long IDLE_MILLIS = 200;

  /** A heartbeat that takes longer is a slow server. */
  private static final long SLOW_MILLIS = 500;

  /** Clocks that are this far apart let entries end at different times. */
  private static final long CLOCK_MILLIS = 60_000;

  private static final String SAME_NAME =
      "another gateway uses the name %s: give each its own fleet.node, and start them again";

  private final FleetParts parts;
  private final FleetLease lease;
  private long nextBeat;

  /** The time when Redis answered the last heartbeat, or was known to be lost. */
  private volatile long beatNanos;

  private boolean hasBeaten;
  private boolean reported;
  private volatile boolean named;
  private volatile Supplier<FleetNode.State> state = () -> FleetNode.State.UNKNOWN;

  /** This node at the last heartbeat. */
  private volatile @Nullable FleetNode self;

  private volatile StreamId place = StreamId.START;
  private String notice = "";

  FleetNodes(FleetParts parts, FleetLease lease) {
    this.parts = parts;
    this.lease = lease;
    this.nextBeat = parts.around().nanoTime().getAsLong();
    this.beatNanos = nextBeat;
  }

  /**
   * Tells that this node is here when it is time, and rests; on one thread.
   *
   * @param server {@code null} while it is lost
   */
  void beatInTime(@Nullable RedisServer server) {
    long now = parts.around().nanoTime().getAsLong();
    if (server == null) {
      beatNanos = now;
    } else if (now - nextBeat >= 0) {
      nextBeat = now + BEAT_NANOS;
      try {
        beat(server);
        parts.works(Work.BEAT);
        beatNanos = parts.around().nanoTime().getAsLong();
      } catch (JedisDataException e) {
        // A server that is full still prolongs the lease: the leader goes on with what it has.
        parts
            .troubles()
            .failed(
                Work.BEAT,
                RedisException.of(parts.address(), e).sentence()
                    + (lease.leads() ? "; this node leads on until its lease ends" : ""));
        beatNanos = parts.around().nanoTime().getAsLong();
      } catch (JedisException e) {
        // The reader notices and reports it, or what watches the heartbeat.
      }
    }
    parts.threads().pause(IDLE_MILLIS);
  }

  /** A server that takes changes slowly keeps the thread of the heartbeat, not this one. */
  void watch() {
    lease.endInTime();
    if (parts.around().nanoTime().getAsLong() - beatNanos > MOST_SILENCE.toNanos()) {
      parts
          .troubles()
          .failed(
              Work.BEAT,
              "%s has not answered the heartbeat for %d s; look at the server, and at the network to it"
                  .formatted(parts.address(), MOST_SILENCE.toSeconds()));
    }
    parts.threads().pause(IDLE_MILLIS);
  }

  /** Tells the others from now on what this gateway does. */
  void stateBy(Supplier<FleetNode.State> by) {
    state = by;
  }

  /** Tells the others which change was applied last. */
  void place(RedisServer server, StreamId applied) {
    place = applied;
    server.commands().hset(parts.key("places"), parts.settings().node(), applied.toString());
  }

  private void beat(RedisServer server) {
    // First: a server that is full still prolongs the lease.
    lease.beat(server);
    StreamId newest = newest(server);
    String before = server.commands().hget(parts.key("nodes"), parts.settings().node());
    // Last: how old the heartbeat is counts from here.
    long asked = parts.around().nanoTime().getAsLong();
    long redis = server.millis();
    long at = parts.around().clock().millis();
    long took = TimeUnit.NANOSECONDS.toMillis(parts.around().nanoTime().getAsLong() - asked);
    Beat beat =
        new Beat(
            lease.start(),
            parts.around().generation().get(),
            state.get(),
            parts.entries().waiting(),
            parts.around().version(),
            at,
            took,
            at - redis);
    self =
        new FleetNode(
            parts.settings().node(),
            true,
            lease.leads(),
            place,
            FleetNode.lag(place, newest),
            beat);
    findOther(before);
    notice();
    server.commands().hset(parts.key("nodes"), parts.settings().node(), beat.text());
    hasBeaten = true;
  }

  /** Another start in place of the last heartbeat is of a gateway with the same name. */
  private void findOther(@Nullable String before) {
    boolean other =
        hasBeaten
            && before != null
            && beatOf(before).filter(beat -> !beat.start().equals(lease.start())).isPresent();
    if (other && !reported) {
      reported = true;
      parts.around().alarm().accept("fleet: " + SAME_NAME.formatted(parts.settings().node()));
    }
    named = other;
  }

  /** Logs that Redis is slow or that the clocks differ, once, and its end. */
  private void notice() {
    String now = String.join("; ", notices());
    // The figures in it differ each time.
    if (now.isEmpty() != notice.isEmpty()) {
      LOG.warn("fleet: {}", now.isEmpty() ? "Redis answers in time, and clocks agree" : now);
    }
    notice = now;
  }

  /** Sentences that the operator should know though all works; none while there is nothing. */
  List<String> notices() {
    FleetNode now = self;
    List<String> notices = new ArrayList<>();
    if (named) {
      notices.add(SAME_NAME.formatted(parts.settings().node()));
    }
    if (now == null) {
      return notices;
    }
    long reply = now.beat().reply();
    long clock = now.beat().clock();
    if (reply > SLOW_MILLIS) {
      notices.add(
          "Redis answers slowly (%d ms): changes reach the other nodes late".formatted(reply));
    }
    if (Math.abs(clock) > CLOCK_MILLIS) {
      notices.add(
          "the clock of this node is %d s %s that of Redis: entries and modes end here at another time; set the clocks by NTP"
              .formatted(Math.abs(clock) / 1_000, clock > 0 ? "ahead of" : "behind"));
    }
    return notices;
  }

  private StreamId newest(RedisServer server) {
    return new EntryHash(server, parts.key("")).newest();
  }

  /** All nodes that ever were, by name. */
  List<FleetNode> nodes(RedisServer server) {
    // First: a heartbeat that comes meanwhile is not older by it.
    long redis = server.millis();
    Map<String, String> texts = server.commands().hgetAll(parts.key("nodes"));
    Map<String, String> places = server.commands().hgetAll(parts.key("places"));
    StreamId newest = newest(server);
    String leader = FleetLease.holder(server.commands().get(parts.key("leader")));
    List<FleetNode> nodes = new ArrayList<>();
    texts.forEach((name, text) ->
        beatOf(text)
            .ifPresent(beat -> {
              StreamId at = StreamId.parse(places.getOrDefault(name, "")).orElse(StreamId.START);
              boolean leads = name.equals(leader);
              nodes.add(
                  new FleetNode(
                      name, beat.isAlive(redis), leads, at, FleetNode.lag(at, newest), beat));
            }));
    nodes.sort(Comparator.comparing(FleetNode::name));
    return nodes;
  }

  /** Reads a heartbeat; empty when it is none. */
  private static Optional<Beat> beatOf(String text) {
    try {
      return Optional.of(JsonRecords.read(Beat.class, text));
    } catch (JsonSyntaxException e) {
      return Optional.empty();
    }
  }

  /** Returns this node at the last heartbeat; {@code null} before the first. */
  @Nullable FleetNode self() {
    return self;
  }
}
