package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.fleet.FleetNode.Beat;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
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
import redis.clients.jedis.StreamEntryID;

/**
 * Says who is in the fleet: this node by its heartbeat, and the other nodes. {@link FleetLease} has
 * the lease of the leader. Called by {@link EntrySync} on its thread and by commands on theirs;
 * methods that take a server throw {@code JedisException} when it is lost.
 */
final class FleetNodes {

  private static final Logger LOG = LoggerFactory.getLogger(FleetNodes.class);

  /** A heartbeat that takes longer is a slow server. */
  private static final long SLOW_MILLIS = 500;

  /** Clocks that are this far apart let entries end at different times. */
  private static final long CLOCK_MILLIS = 60_000;

  private static final String SAME_NAME =
      "another gateway uses the name %s: give each its own fleet.node, and start them again";

  private final FleetParts parts;
  private final FleetLease lease;
  private boolean hasBeaten;
  private boolean reported;
  private volatile boolean named;
  private volatile Supplier<FleetNode.State> state = () -> FleetNode.State.UNKNOWN;

  /** This node at the last heartbeat. */
  private volatile @Nullable FleetNode self;

  private String notice = "";

  FleetNodes(FleetParts parts, FleetLease lease) {
    this.parts = parts;
    this.lease = lease;
  }

  /** Tells the others from now on what this gateway does. */
  void stateBy(Supplier<FleetNode.State> by) {
    state = by;
  }

  /**
   * Tells the others that this node is here.
   *
   * @param place the last change that it has applied
   * @param redisAhead milliseconds by which the clock of Redis is ahead
   */
  void beat(RedisServer server, StreamEntryID place, long redisAhead) {
    // First: a server that is full still prolongs the lease.
    lease.beat(server);
    String before = server.commands().hget(parts.key("nodes"), parts.settings().node());
    long asked = parts.around().nanoTime().getAsLong();
    StreamEntryID newest = newest(server);
    long took = TimeUnit.NANOSECONDS.toMillis(parts.around().nanoTime().getAsLong() - asked);
    Beat beat =
        new Beat(
            lease.start(),
            place.toString(),
            parts.around().generation().get(),
            state.get(),
            parts.entries().waiting(),
            parts.around().version(),
            parts.around().clock().millis(),
            took,
            -redisAhead);
    self = new FleetNode(parts.settings().node(), true, lease.leads(), beat.lag(newest), beat);
    findOther(before);
    notice();
    server.commands().hset(parts.key("nodes"), parts.settings().node(), beat.text());
    hasBeaten = true;
  }

  /** Tells the others which change was applied last, with the last heartbeat. */
  void applied(RedisServer server, StreamEntryID place) {
    FleetNode last = self;
    if (last != null) {
      Beat beat = last.beat().at(place.toString());
      self = new FleetNode(last.name(), true, last.leads(), last.lagMillis(), beat);
      server.commands().hset(parts.key("nodes"), last.name(), beat.text());
    }
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

  private StreamEntryID newest(RedisServer server) {
    return new EntryHash(server, parts.key("")).newest();
  }

  /** All nodes that ever were, by name. */
  List<FleetNode> nodes(RedisServer server) {
    // First: a heartbeat that comes meanwhile is not older by it.
    long redis = server.millis();
    Map<String, String> texts = server.commands().hgetAll(parts.key("nodes"));
    StreamEntryID newest = newest(server);
    String leader = FleetLease.holder(server.commands().get(parts.key("leader")));
    List<FleetNode> nodes = new ArrayList<>();
    texts.forEach((name, text) ->
        beatOf(text)
            .ifPresent(beat ->
                nodes.add(
                    new FleetNode(
                        name, beat.isAlive(redis), name.equals(leader), beat.lag(newest), beat))));
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
