package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.ListFiles;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorLists.Origin;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.blocklists.operator.OperatorText;
import io.bloomgate.blocklists.operator.SharedCommand.Act;
import io.bloomgate.blocklists.operator.WidthRules;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Nodes of a fleet, each with a real store in its own folder and its share of a real server. Used
 * by one test's thread.
 */
final class FleetStage {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final long seed = new Random().nextLong();
  final List<Node> nodes = new ArrayList<>();
  final List<String> alarms = new CopyOnWriteArrayList<>();
  private final Random random = new Random(seed);
  private final Path folder;

  /** What the next node is made with. */
  String prefix = "test:";

  Duration clock = Duration.ZERO;
  long highestNumber;
  @Nullable Path secret;

  FleetStage(Path folder) {
    this.folder = folder;
  }

  /** Settings of a node that may lead. */
  static FleetSettings settings(
      String name, RedisAddress redis, String prefix, Path folder, @Nullable Path secret) {
    return new FleetSettings(
        name,
        FleetSettings.Role.AUTO,
        redis,
        prefix,
        folder.resolve("published"),
        folder.resolve("key"),
        null,
        null,
        secret,
        Duration.ofSeconds(30),
        true);
  }

  /** A node: its store, and its share of the fleet. */
  final class Node {
    final OperatorLists lists;
    final SharedLists shared;
    volatile long lease;

    /** By how much its clock, which measures how long something takes, is ahead. */
    volatile Duration skipped = Duration.ZERO;

    /** How long it takes to read the other clock, as on a machine that is busy. */
    volatile Duration slow = Duration.ZERO;

    volatile Supplier<String> generation = () -> "g1";

    /** The mode that this node has, by its own command or that of another node. */
    volatile String mode = "";

    private Node(String name, RedisAddress redis) throws Exception {
      Path state = Files.createDirectories(folder.resolve(name));
      Duration ahead = clock;
      InstantSource time =
          () -> {
            LockSupport.parkNanos(slow.toNanos());
            return Instant.now().plus(ahead);
          };
      lists =
          OperatorLists.open(
              state.resolve(OperatorLists.FILE_NAME),
              new ListFiles(
                  List.of(), List.of(), new WidthRules(List.of(), List.of(), _ -> false), time),
              time);
      FleetSettings settings = settings(name, redis, prefix, folder, secret);
      shared =
          new SharedLists(
              settings,
              lists.share(name),
              new SharedLists.Surroundings(
                  time,
                  () -> System.nanoTime() + skipped.toNanos(),
                  Thread.ofVirtual().factory(),
                  () -> Long.toHexString(new Random().nextLong()),
                  () -> generation.get(),
                  "test",
                  now -> lease = now,
                  () -> highestNumber,
                  text -> alarms.add(name + ": " + text)));
    }

    void put(ListKind list, String subject, String reason) throws Exception {
      NewEntry entry = NewEntry.of(list, Subject.parse(subject).toOptional().orElseThrow(), reason);
      lists.add(List.of(entry), new Origin("alice", "add"));
    }

    /** Takes modes of other nodes from now on. */
    void takeModes() {
      shared.actBy((act, _) -> {
        mode = act.value();
        return true;
      });
    }

    void mode(String value) throws Exception {
      mode = value;
      shared.tell(new Act("mode", "mode", value), "alice");
    }

    void remove(ListKind list, String subject) throws Exception {
      lists.remove(list, List.of(subject), new Origin("bob", "remove"));
    }

    /** Every entry of both lists, with author and time. */
    Set<String> all() {
      Set<String> all = new TreeSet<>();
      try {
        for (ListKind list : ListKind.values()) {
          for (long after = 0; after >= 0; ) {
            OperatorLists.Page<OperatorEntry> page = lists.page(list, "", after);
            for (OperatorEntry entry : page.items()) {
              all.add(
                  list + " " + OperatorText.format(entry) + " " + entry.author() + entry.created());
            }
            after = page.end() ? -1 : page.last();
          }
        }
        return all;
      } catch (OperatorListsException e) {
        throw new IllegalStateException(e);
      }
    }

    boolean leads() {
      return lease > 0;
    }

    void close() throws Exception {
      shared.close();
      lists.close();
    }
  }

  /** A new node that runs; the name of one that was closed has its store. */
  Node node(String name, RedisAddress redis) throws Exception {
    Node node = new Node(name, redis);
    nodes.add(node);
    node.shared.start();
    return node;
  }

  /** Three nodes that are connected. */
  void three(RedisAddress redis) throws Exception {
    for (String name : List.of("mx1", "mx2", "mx3")) {
      node(name, redis);
    }
    awaitConnected();
  }

  void awaitConnected() {
    await("connected", () -> nodes.stream().allMatch(node -> node.shared.isConnected()));
  }

  void await(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertTrue(
          System.nanoTime() - deadline < 0,
          () -> "never " + what + "; seed " + seed + "; alarms " + alarms);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** True when nothing waits and all nodes have the same entries. */
  boolean equal() {
    Set<String> first = nodes.getFirst().all();
    return nodes.stream().allMatch(node -> node.shared.waiting() == 0 && node.all().equals(first));
  }

  /** Until a command at this node would say that all have what it changed. */
  void awaitConfirmed(Node node) {
    awaitConfirmed(node, "on %d of %d nodes".formatted(nodes.size(), nodes.size()));
  }

  /** Until a command at this node would say this. */
  void awaitConfirmed(Node node, String text) {
    await(text, () -> node.shared.confirm().text().equals(text));
  }

  /** Nodes that the first one knows. */
  int known() {
    try {
      return nodes.getFirst().shared.nodes().size();
    } catch (RedisException e) {
      return 0;
    }
  }

  /** A random change at a random node. */
  void change() throws Exception {
    Node node = nodes.get(random.nextInt(nodes.size()));
    ListKind list = random.nextBoolean() ? ListKind.ALLOW : ListKind.BLOCK;
    String subject = "host" + random.nextInt(60) + ".example";
    if (random.nextInt(4) == 0) {
      node.remove(list, subject);
    } else {
      node.put(list, subject, "reason " + random.nextInt(1_000));
    }
  }

  /** Closes a node for good, or until one of its name comes. */
  void stop(Node node) throws Exception {
    nodes.remove(node);
    node.close();
  }

  void close() throws Exception {
    for (Node node : nodes) {
      node.close();
    }
  }
}
