package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.SharedCounts.Counter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts of nodes and a real server that is stopped, killed and filled with nonsense. */
class SharedCountsTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<Node> nodes = new ArrayList<>();
  private final List<String> alarms = new CopyOnWriteArrayList<>();
  private final AtomicInteger runs = new AtomicInteger();

  @TempDir private Path folder;
  private RealRedis redis;

  /** A node that keeps what others have counted and sent. */
  private final class Node {
    final SharedCounts counts;
    final AtomicLong others = new AtomicLong();
    final List<String> texts = new CopyOnWriteArrayList<>();

    Node(String name, Duration patience) {
      counts =
          new SharedCounts(
              FleetStage.settings(name, redis.address(), "test:", folder, null),
              new SharedCounts.Surroundings(
                  System::nanoTime,
                  Thread.ofVirtual().factory(),
                  "run" + runs.incrementAndGet(),
                  patience,
                  text -> alarms.add(name + ": " + text)));
      nodes.add(this);
      counts.start((kind, text, ago) -> kind.equals("known") && texts.add(text));
    }

    /** Hours, so that no part of the time ends within a test. */
    Counter counter(String key) {
      return new Counter(key, Duration.ofHours(8), 1_000, (count, ago) -> others.addAndGet(count));
    }

    void count(String key, int times) {
      for (int i = 0; i < times; i++) {
        counts.count(List.of(counter(key)));
      }
    }

    /** What others have counted until now, of all that was asked. */
    long asked(String key) {
      counts.ask(List.of(counter(key))).run();
      return others.get();
    }

    void stop() {
      counts.close();
      nodes.remove(this);
    }
  }

  @BeforeEach
  void start() throws Exception {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
    redis = RealRedis.start(folder);
  }

  @AfterEach
  void close() {
    for (Node node : List.copyOf(nodes)) {
      node.stop();
    }
    if (redis != null) {
      redis.close();
    }
  }

  private Node node(String name) {
    Node node = new Node(name, LONG);
    await("connected", () -> node.counts.figures().connected());
    return node;
  }

  private static void await(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!holds.getAsBoolean()) {
      assertTrue(System.nanoTime() - deadline < 0, () -> "never " + what);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private static void awaitSent(Node node) {
    await("sent", () -> node.counts.figures().waiting() == 0 && node.counts.figures().sent() > 0);
  }

  /** Redis is away, and a stranger has the gateway tell long texts. */
  @Test
  void textsThatWaitAreBoundedByTheirOctets() {
    CountWrites writes = new CountWrites("test:", "run");
    for (int i = 0; i < 100; i++) {
      writes.text("seen", "x".repeat(1 << 20));
    }
    assertEquals(16, writes.waiting());
    assertEquals(84, writes.dropped());
  }

  @Test
  void whatOthersCountIsAddedOnceAndOwnCountsAreNot() {
    Node first = node("mx1");
    Node second = node("mx2");
    first.count("client 192.0.2.1", 3);
    await("there", () -> second.asked("client 192.0.2.1") == 3);
    assertEquals(3, second.asked("client 192.0.2.1"), "once");
    assertEquals(0, first.asked("client 192.0.2.1"));
    assertEquals(0, second.asked("client 192.0.2.2") - 3);
    second.count("client 192.0.2.1", 2);
    await("the other way", () -> first.asked("client 192.0.2.1") == 2);
    first.count("client 192.0.2.1", 1);
    await("one more", () -> second.asked("client 192.0.2.1") == 4);
    assertEquals(4, second.counts.figures().merged());
  }

  @Test
  void whatAnEarlierStartCountedIsAdded() {
    Node before = node("mx1");
    before.count("client 192.0.2.1", 5);
    before.stop();
    Node after = node("mx1");
    assertEquals(5, after.asked("client 192.0.2.1"), "all was sent at the end");
  }

  @Test
  void theFirstVisitOfAllNodesIsTheFirst() {
    Node first = node("mx1");
    Node second = node("mx2");
    List<String> found = new CopyOnWriteArrayList<>();
    first.counts.first("grey:a", "first 1", LONG, found::add);
    assertEquals(List.of(), found);
    second.counts.first("grey:a", "first 2", LONG, found::add);
    assertEquals(List.of("first 1"), found);
    first.counts.put("grey:a", "again 3", LONG);
    awaitSent(first);
    second.counts.first("grey:a", "first 4", LONG, found::add);
    assertEquals(List.of("first 1", "again 3"), found);
    assertEquals(Optional.of("again 3"), second.counts.value("grey:a"));
    assertEquals(Optional.empty(), second.counts.value("grey:b"));
  }

  @Test
  void aTextIsSentToAllOthersAndToThoseThatStartLater() {
    Node first = node("mx1");
    Node second = node("mx2");
    first.counts.tell("known", "192.0.2.1 a@shop.example");
    await("there", () -> second.texts.size() == 1);
    Node third = node("mx3");
    assertEquals(List.of("192.0.2.1 a@shop.example"), third.texts);
    assertEquals(List.of(), first.texts);
  }

  @Test
  void everyKeyHasAnExpiry() throws Exception {
    Node first = node("mx1");
    first.count("client 192.0.2.1", 1);
    first.counts.put("id:A", "mx1", LONG);
    first.counts.first("grey:a", "first 1", LONG, _ -> {});
    awaitSent(first);
    for (String key : redis.reply("KEYS test:*").split("\r\n", -1)) {
      if (key.startsWith("test:") && !key.equals("test:" + CountTexts.STREAM)) {
        String reply = redis.reply("PTTL \"" + key + "\"");
        assertTrue(reply.matches("(?s):[1-9].*"), key + " " + reply);
      }
    }
  }

  @Test
  void whatIsNoCountAndNoTextIsSkippedAndCounted() throws Exception {
    Node first = node("mx1");
    first.count("client 192.0.2.1", 1);
    awaitSent(first);
    Node second = node("mx2");
    String key = redis.reply("KEYS test:rate:*").split("\r\n", -1)[2];
    redis.command("HSET \"" + key + "\" eve nonsense mallory 9999999999999999999999");
    redis.command("XADD test:counts * nonsense x");
    await(
        "both skipped",
        () -> second.asked("client 192.0.2.1") == 1 && second.counts.figures().skipped() >= 3);
    assertTrue(second.counts.figures().connected());
  }

  /** Mail does not wait: it is counted here alone, and sent when Redis is back. */
  @Test
  void whatIsCountedWhileRedisIsAwayIsSentAfterwards() throws Exception {
    Node first = new Node("mx1", Duration.ofMillis(1));
    Node second = new Node("mx2", Duration.ofMillis(1));
    await(
        "connected",
        () -> first.counts.figures().connected() && second.counts.figures().connected());
    redis.signal("STOP");
    assertEquals(0, first.asked("client 192.0.2.1"));
    first.count("client 192.0.2.1", 7);
    await("lost", () -> !first.counts.figures().connected());
    assertTrue(first.counts.figures().problem().contains("cannot be reached"));
    redis.signal("CONT");
    await("there", () -> second.asked("client 192.0.2.1") == 7);
    redis.kill();
    await("lost again", () -> !second.counts.figures().connected());
    second.count("client 192.0.2.2", 2);
    redis = RealRedis.start(folder, redis.port());
    await("there again", () -> first.asked("client 192.0.2.2") == 2);
    await(
        "one alarm each time", () -> alarms.stream().filter(a -> a.contains("alone")).count() >= 2);
  }

  @Test
  void whatWaitsIsBounded() {
    redis.kill();
    Node alone = new Node("mx1", LONG);
    for (int i = 0; i < CountWrites.MAX_WAITING + 3; i++) {
      alone.count("client " + i, 1);
    }
    alone.count("client 0", 1);
    assertEquals(CountWrites.MAX_WAITING, alone.counts.figures().waiting());
    assertEquals(3, alone.counts.figures().dropped());
  }
}
