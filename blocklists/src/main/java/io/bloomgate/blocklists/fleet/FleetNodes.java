package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.blocklists.operator.StreamId;
import io.bloomgate.config.settings.FleetSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.StreamEntry;

/**
 * Who is in the fleet: this node's heartbeat and place, and the other nodes; {@link FleetLease} has
 * the lease of the leader. Called by {@link SharedLists} on its threads and on those of commands;
 * methods throw {@code JedisException} when the server is lost.
 */
final class FleetNodes {

  private static final Logger LOG = LoggerFactory.getLogger(FleetNodes.class);

  /** A heartbeat that takes longer is a slow server. */
  private static final long SLOW_MILLIS = 500;

  /** Clocks that are this far apart let entries end at different times. */
  private static final long CLOCK_MILLIS = 60_000;

  private static final String SAME_NAME =
      "another gateway uses the name %s: give each its own fleet.node, and start them again";

  /** Names without a proof that are shown. */
  static final int MOST_UNPROVEN = 100;

  private static final String NODES = "nodes";
  private static final String PLACES = "places";

  private final FleetSettings settings;
  private final SharedEntries entries;
  private final RecordSeal seal;
  private final SharedLists.Surroundings around;
  private final FleetLease lease;
  private final String start;
  private boolean marked;
  private boolean reported;
  private volatile boolean named;
  private volatile Supplier<FleetNode.State> state = () -> FleetNode.State.UNKNOWN;
  private volatile Pulse pulse = Pulse.NONE;
  private String notice = "";

  /**
   * What the last heartbeat found.
   *
   * @param lagMillis from the last applied entry to the newest
   * @param replyMillis that Redis took to answer
   * @param clockMillis by which the clock of this node is ahead of that of Redis
   */
  record Pulse(long lagMillis, long replyMillis, long clockMillis) {
    static final Pulse NONE = new Pulse(0, 0, 0);
  }

  FleetNodes(
      FleetSettings settings,
      SharedEntries entries,
      RecordSeal seal,
      FleetLease lease,
      SharedLists.Surroundings around) {
    this.settings = settings;
    this.entries = entries;
    this.seal = seal;
    this.around = around;
    this.start = lease.start();
    this.lease = lease;
  }

  /** Tells the others from now on what this gateway does. */
  void stateBy(Supplier<FleetNode.State> by) {
    state = by;
  }

  private String key(String name) {
    return settings.keyPrefix() + name;
  }

  /** Tells the others which record was applied last. */
  void place(RedisServer server) throws OperatorListsException {
    put(server, PLACES, entries.place().toString());
  }

  /** Older releases know no proofs and pass over the field of one, whose name is of no node. */
  private void put(RedisServer server, String hash, String text) {
    String name = settings.node();
    String proof = seal.proof(hash, name, text);
    Map<String, String> fields =
        proof.isEmpty() ? Map.of(name, text) : Map.of(name, text, of(name), proof);
    String all = key(hash);
    var _ = healed(server, all, () -> server.commands().hset(all, fields));
  }

  /** What is of another kind is of no node: it goes, so that nobody is stopped by it for good. */
  static <T extends @Nullable Object> T healed(
      RedisServer server, String key, Supplier<T> command) {
    try {
      return command.get();
    } catch (JedisDataException e) {
      if (!String.valueOf(e.getMessage()).startsWith("WRONGTYPE")) {
        throw e;
      }
      server.commands().del(key);
      return command.get();
    }
  }

  /** The field of the proof of a node's text. */
  private static String of(String name) {
    return name + " " + RecordSeal.PROOF;
  }

  /** The text of a node; empty when there is none or it is not proven. */
  private Optional<String> proven(String hash, String name, Map<String, String> texts) {
    return Optional.ofNullable(texts.get(name))
        .filter(text -> seal.isProof(texts.getOrDefault(of(name), ""), hash, name, text));
  }

  /** Tells that this node is here; to be called each second. */
  void beat(RedisServer server) throws OperatorListsException {
    // First: a server that is full still prolongs the lease.
    lease.beat(server);
    StreamId newest = newest(server);
    // Last: how old the heartbeat is counts from here.
    long asked = around.nanoTime().getAsLong();
    long redis = server.millis();
    long at = around.clock().millis();
    long took = TimeUnit.NANOSECONDS.toMillis(around.nanoTime().getAsLong() - asked);
    StreamId place = entries.place();
    pulse = new Pulse(FleetNode.lag(place, newest), took, at - redis);
    notice();
    FleetNode self =
        new FleetNode(
            settings.node(),
            true,
            true,
            around.generation().get(),
            state.get(),
            place,
            entries.waiting(),
            around.version(),
            at,
            took,
            at - redis,
            lease.leads(),
            0);
    put(server, NODES, self.text());
    mark(server);
  }

  /** The mark of this start: another one over it is of a gateway with the same name. */
  private void mark(RedisServer server) {
    String alive = key("alive:" + settings.node());
    String found = healed(server, alive, () -> server.commands().get(alive));
    boolean other = marked && found != null && !found.equals(start);
    if (other && !reported) {
      reported = true;
      around.alarm().accept("fleet: " + SAME_NAME.formatted(settings.node()));
    }
    named = other;
    server.commands().set(alive, start, SetParams.setParams().px(FleetNode.ALIVE_MILLIS));
    marked = true;
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

  /** What the operator should know though all works; none while there is nothing. */
  List<String> notices() {
    Pulse now = pulse;
    List<String> notices = new ArrayList<>();
    if (named) {
      notices.add(SAME_NAME.formatted(settings.node()));
    }
    if (now.replyMillis() > SLOW_MILLIS) {
      notices.add(
          "Redis answers slowly (%d ms): changes reach the other nodes late"
              .formatted(now.replyMillis()));
    }
    if (Math.abs(now.clockMillis()) > CLOCK_MILLIS) {
      notices.add(
          "the clock of this node is %d s %s that of Redis: entries and modes end here at another time; set the clocks by NTP"
              .formatted(
                  Math.abs(now.clockMillis()) / 1_000,
                  now.clockMillis() > 0 ? "ahead of" : "behind"));
    }
    return notices;
  }

  private StreamId newest(RedisServer server) {
    List<StreamEntry> last =
        server.commands().xrevrange(key("entries"), (StreamEntryID) null, null, 1);
    return last.isEmpty()
        ? StreamId.START
        : new StreamId(last.getFirst().getID().getTime(), last.getFirst().getID().getSequence());
  }

  /** All nodes that ever were, by name. */
  List<FleetNode> nodes(RedisServer server) {
    // First: a heartbeat that comes meanwhile is not older by it.
    long redis = server.millis();
    Map<String, String> texts = all(server, key(NODES));
    Map<String, String> places = all(server, key(PLACES));
    StreamId newest = newest(server);
    String leader = String.valueOf(server.commands().get(key("leader"))).split(" ", 2)[0];
    List<FleetNode> nodes = new ArrayList<>();
    int unproven = 0;
    for (String name : texts.keySet()) {
      String place = proven(PLACES, name, places).orElse("");
      Optional<String> text = proven(NODES, name, texts);
      Optional<FleetNode> node =
          text.isPresent()
              ? FleetNode.read(name, text.get()).map(found -> found.heard(redis))
              : FleetNode.unproven(name);
      if (node.isPresent() && (text.isPresent() || unproven++ < MOST_UNPROVEN)) {
        nodes.add(node.get().seen(place, newest, leader));
      }
    }
    nodes.sort(Comparator.comparing(FleetNode::name));
    return nodes;
  }

  private static Map<String, String> all(RedisServer server, String hash) {
    return healed(server, hash, () -> server.commands().hgetAll(hash));
  }

  /** Names of nodes that are here and whose release says no place of its records. */
  Set<String> older(RedisServer server) {
    long redis = server.millis();
    Map<String, String> texts = all(server, key(NODES));
    return texts.keySet().stream()
        .filter(name ->
            proven(NODES, name, texts)
                .filter(text -> !FleetNode.linksRecords(text))
                .flatMap(text -> FleetNode.read(name, text))
                .filter(node -> node.heard(redis).connected())
                .isPresent())
        .collect(Collectors.toSet());
  }

  /** Names of the other nodes that are here. */
  List<String> others(RedisServer server) {
    return nodes(server).stream()
        .filter(node -> node.connected() && !node.name().equals(settings.node()))
        .map(FleetNode::name)
        .toList();
  }

  /** What the last heartbeat found. */
  Pulse pulse() {
    return pulse;
  }
}
