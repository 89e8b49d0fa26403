package io.bloomgate.blocklists.fleet;

import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.operator.SharedEntries;
import io.bloomgate.blocklists.operator.SharedRow;
import io.bloomgate.config.settings.FleetSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Shares by way of Redis the newest command about each entry and each act, and knows who is there.
 * The door of this package. One thread talks with Redis, another one does what others did, and a
 * third one ends the lead of this node in time; no session waits. While Redis is away, changes wait
 * on the disk.
 */
public final class SharedLists implements AutoCloseable {

  /** The longest time that a command waits for the other nodes. */
  public static final Duration MOST_WAIT = Duration.ofSeconds(1);

  private static final long IDLE_MILLIS = 200;
  private static final long POLL_MILLIS = 5;
  private static final long RETRY_MILLIS = 500;

  /**
   * The things around it that it uses.
   *
   * @param threads for blocking commands
   * @param word a random word
   * @param generation id of the live generation
   * @param version of this program
   * @param lead learns the number of the leader's lease that this node holds now, 0 for none
   * @param highestNumber the highest number of what leaders published
   * @param alarm receives sentences for the operator
   */
  public record Surroundings(
      InstantSource clock,
      LongSupplier nanoTime,
      ThreadFactory threads,
      Supplier<String> word,
      Supplier<String> generation,
      String version,
      LongConsumer lead,
      LongSupplier highestNumber,
      Consumer<String> alarm) {}

  private final FleetParts parts;
  private final FleetLease lease;
  private final FleetNodes fleet;
  private final EntrySync sync;

  private volatile @Nullable BiPredicate<Act, String> acts;

  /**
   * Connects to nothing yet.
   *
   * @param settings with Redis
   */
  public SharedLists(FleetSettings settings, SharedEntries entries, Surroundings around) {
    FleetThreads threads =
        new FleetThreads(around.threads(), MOST_WAIT.plus(RedisServer.TIMEOUT), around.alarm());
    FleetTroubles troubles =
        new FleetTroubles("fleet", "changes wait on the disk until it works again", around.alarm());
    this.parts = new FleetParts(settings, entries, around, threads, troubles);
    this.lease = new FleetLease(settings, around);
    this.fleet = new FleetNodes(parts, lease);
    this.sync = new EntrySync(parts, fleet, lease);
    entries.onWaiting(threads::wake);
  }

  /** Starts to connect. */
  public void start() {
    parts.threads().repeat("sharing entries with other nodes", sync::run);
    parts.threads().repeat("doing what was done on other nodes", this::act);
    // An act may take as long as a build, and a slow server the thread that reads.
    parts.threads().repeat("ending the lead in time", this::watch);
  }

  /**
   * Does from now on what other nodes did.
   *
   * @param by takes the act and its author; false when it knows no such act
   */
  public void actBy(BiPredicate<Act, String> by) {
    acts = by;
  }

  /** Tells the other nodes from now on what this gateway does. */
  public void stateBy(Supplier<FleetNode.State> state) {
    fleet.stateBy(state);
  }

  private void watch() {
    sync.watch();
    parts.threads().pause(IDLE_MILLIS);
  }

  /** Does the oldest thing that another node did, or rests. */
  private void act() {
    BiPredicate<Act, String> by = acts;
    try {
      // Read to the end: then a newer act is known that replaces an older one.
      boolean ready = by != null && sync.server() != null;
      Optional<SharedRow> next = ready ? parts.entries().nextAct() : Optional.empty();
      if (next.isEmpty()) {
        parts.threads().pause(IDLE_MILLIS);
        return;
      }
      act(next.get(), Objects.requireNonNull(by));
      parts.entries().done(next.get());
    } catch (OperatorListsException e) {
      parts.around().alarm().accept("fleet: " + e.userMessage());
      parts.threads().pause(RETRY_MILLIS);
    }
  }

  /** Does an act; one that fails unexpectedly is not done again, as it would fail again. */
  private void act(SharedRow row, BiPredicate<Act, String> by) {
    try {
      boolean isDone =
          row.command()
              .toOptional()
              .flatMap(
                  command -> command.act(row.subject()).map(act -> by.test(act, command.who())))
              .orElse(false);
      if (!isDone) {
        sync.skip("a command of the fleet is skipped: this release knows no such act");
      }
    } catch (RuntimeException e) {
      parts.threads().failed("doing what was done on another node", e);
    }
  }

  /**
   * Tells the other nodes what this one did.
   *
   * @throws OperatorListsException when it is not on the disk
   */
  public void tell(Act act, String author) throws OperatorListsException {
    parts.entries().queue(act, author);
  }

  /**
   * Says how far the last command of a node has got.
   *
   * @param nodes that have applied it
   * @param connected all that are here
   * @param away known nodes that are not here; those that are gone for long are left out
   * @param queued it is on the disk of this node only
   */
  public record Confirmation(int nodes, int connected, int away, boolean queued) {
    /** {@code on 3 of 4 nodes (1 away)}. */
    public String text() {
      return queued
          ? "on this node; queued for the others, because Redis cannot be reached"
          : "on %d of %d nodes%s"
              .formatted(nodes, connected, away == 0 ? "" : " (" + away + " away)");
    }
  }

  /**
   * Waits until the other nodes have applied what commands of this node have changed, {@link
   * #MOST_WAIT} at most.
   */
  public Confirmation confirm() {
    long deadline = parts.around().nanoTime().getAsLong() + MOST_WAIT.toNanos();
    Confirmation last = new Confirmation(1, 1, 0, true);
    while (sync.server() != null && parts.around().nanoTime().getAsLong() - deadline < 0) {
      if (!parts.entries().isWaiting()) {
        last = applied(sync.lastSent());
        if (last.nodes() == last.connected()) {
          return last;
        }
      }
      parts.threads().pause(POLL_MILLIS);
    }
    return last;
  }

  private Confirmation applied(StreamEntryID id) {
    try {
      List<FleetNode> all = nodes();
      List<FleetNode> nodes = all.stream().filter(FleetNode::connected).toList();
      long away = all.stream().filter(node -> node.isAway(parts.around().clock().millis())).count();
      int there = (int) nodes.stream().filter(node -> node.has(id)).count();
      return new Confirmation(Math.max(1, there), Math.max(1, nodes.size()), (int) away, false);
    } catch (RedisException e) {
      return new Confirmation(1, 1, 0, true);
    }
  }

  /**
   * All nodes that ever were, by name.
   *
   * @throws RedisException when Redis cannot be asked
   */
  public List<FleetNode> nodes() throws RedisException {
    RedisServer server = sync.server();
    if (server == null) {
      throw new RedisException(problem(), "look at the server, and at the network to it");
    }
    try {
      return fleet.nodes(server);
    } catch (JedisException e) {
      throw RedisException.of(parts.address(), e);
    }
  }

  /**
   * All other nodes but those that were not heard of for a week.
   *
   * @throws RedisException when Redis cannot be asked
   */
  public List<FleetNode> others() throws RedisException {
    long now = parts.around().clock().millis();
    return nodes().stream()
        .filter(one -> !one.name().equals(node()) && !one.isLongGone(now))
        .toList();
  }

  /** True while Redis answers and refuses nothing. */
  public boolean isConnected() {
    return sync.server() != null && problem().isEmpty();
  }

  /** Says why Redis is lost or refuses something; empty while all works. */
  public String problem() {
    return parts.troubles().problem();
  }

  /** Sentences that the operator should know though all works; none while there is nothing. */
  public List<String> notices() {
    return problem().isEmpty() ? fleet.notices() : List.of();
  }

  /** Sentences for the operator; none while all is well. */
  public List<String> alarms() {
    String problem = problem();
    List<String> all = problem.isEmpty() ? notices() : List.of(problem);
    return all.stream().map(why -> "fleet: " + why).toList();
  }

  /**
   * Figures of this moment.
   *
   * @param connected Redis answers and refuses nothing
   * @param lagSeconds from the last applied entry to the newest, at the last heartbeat; NaN when it
   *     is not known, as the next two
   * @param replySeconds that Redis took to answer
   * @param clockSeconds by which this node's clock is ahead of that of Redis
   * @param waiting own commands that Redis has not yet
   * @param leads this node holds the lease of the leader
   */
  public record Figures(
      boolean connected,
      double lagSeconds,
      double replySeconds,
      double clockSeconds,
      long waiting,
      boolean leads) {}

  /** Returns the figures of this moment. */
  public Figures figures() {
    FleetNode self = sync.server() == null ? null : fleet.self();
    return new Figures(
        isConnected(),
        self == null ? Double.NaN : self.lagMillis() / 1e3,
        self == null ? Double.NaN : self.beat().reply() / 1e3,
        self == null ? Double.NaN : self.beat().clock() / 1e3,
        parts.entries().waiting(),
        lease.leads());
  }

  /** Commands of others that could not be applied. */
  public long skipped() {
    return sync.skipped();
  }

  /** Counts how often Redis had lost something. */
  public long gaps() {
    return sync.gaps();
  }

  /** Counts how often a thread of the fleet failed unexpectedly and went on. */
  public long faults() {
    return parts.threads().faults();
  }

  /** Own commands that Redis has not yet. */
  public long waiting() {
    return parts.entries().waiting();
  }

  /** This node's name. */
  public String node() {
    return parts.settings().node();
  }

  @Override
  public void close() {
    parts.threads().end();
    parts.troubles().end();
    RedisServer server = sync.server();
    if (server != null) {
      lease.leave(server);
      server.close();
    }
    parts.threads().close();
  }
}
