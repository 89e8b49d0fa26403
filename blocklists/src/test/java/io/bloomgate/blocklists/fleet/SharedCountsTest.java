package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.fleet.counts.CountKeys;
import io.bloomgate.blocklists.fleet.counts.CountOutbox;
import io.bloomgate.blocklists.fleet.counts.CountSeal;
import io.bloomgate.blocklists.fleet.counts.Counted;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.FleetSettings;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XAddParams;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntryBinary;

/** Counts of three nodes and a real server that is stopped, killed, emptied and forged. */
class SharedCountsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String PREFIX = "bloomgate:";

  private final List<Node> nodes = new ArrayList<>();
  private final List<String> alarms = new CopyOnWriteArrayList<>();

  @TempDir private Path folder;

  /** A node that keeps what others have counted. */
  private final class Node {
    final SharedCounts counts;
    final List<Counted> merged = Collections.synchronizedList(new ArrayList<>());
    final AtomicLong longestAgo = new AtomicLong();

    Node(String name, RedisAddress redis, Path secret) throws IOException {
      FleetSettings settings =
          new FleetSettings(
              name,
              FleetSettings.Role.AUTO,
              redis,
              PREFIX,
              null,
              null,
              null,
              null,
              secret,
              Duration.ofSeconds(30),
              true);
      counts =
          new SharedCounts(
              settings,
              CountKeys.of(secret),
              new SharedCounts.Surroundings(
                  System::nanoTime,
                  Thread.ofVirtual().factory(),
                  new Random().nextLong(),
                  text -> alarms.add(name + ": " + text)));
      nodes.add(this);
    }

    Node started() {
      counts.start((counted, ago) -> {
        merged.add(counted);
        longestAgo.accumulateAndGet(ago.toMillis(), Math::max);
      });
      return this;
    }

    void stop() {
      counts.close();
      nodes.remove(this);
    }
  }

  @BeforeEach
  void needsRedis() {
    assumeTrue(RealRedis.isInstalled(), "no redis-server on this machine");
  }

  @AfterEach
  void close() {
    for (Node node : List.copyOf(nodes)) {
      node.stop();
    }
  }

  private Path secret(String text) throws IOException {
    Path file = folder.resolve(text);
    if (!Files.exists(file)) {
      Files.writeString(file, text + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  private Node node(String name, RealRedis redis) throws IOException {
    return new Node(name, redis.address(), secret("a secret of this fleet")).started();
  }

  private void await(String what, BooleanSupplier holds) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!holds.getAsBoolean()) {
      assertTrue(
          System.nanoTime() - deadline < 0,
          () -> "never " + what + "; alarms " + alarms + figures());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  private List<SharedCounts.Figures> figures() {
    return nodes.stream().map(node -> node.counts.figures()).toList();
  }

  private static Counted mail(int client) {
    return new Counted.Mail(IpAddress.ofV4(client));
  }

  private static List<Counted> mails(int from, int to) {
    List<Counted> mails = new ArrayList<>();
    for (int i = from; i < to; i++) {
      mails.add(mail(i));
    }
    return mails;
  }

  @Test
  void eachNodeGetsWhatTheOthersCountedOnceAndInOrder() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      Node first = node("mx1", redis);
      Node second = node("mx2", redis);
      Node third = node("mx3", redis);
      for (int i = 0; i < 5_000; i++) {
        first.counts.add(mail(i));
      }
      second.counts.add(mail(-1));
      await("merged", () -> second.merged.size() == 5_000 && third.merged.size() == 5_001);
      assertEquals(mails(0, 5_000), second.merged);
      await("merged by the first", () -> first.merged.equals(List.of(mail(-1))));
      // Redis has the counts before the node that sent them has the answer.
      await("counted", () -> first.counts.figures().sent() == 5_000);
      // What is merged is counted after it was handed on.
      await("the other's is counted", () -> first.counts.figures().merged() == 1);
      SharedCounts.Figures figures = first.counts.figures();
      assertTrue(figures.connected());
      assertEquals(0, figures.dropped() + figures.skipped() + figures.waiting());
      assertTrue(first.counts.reachMillis() >= 0);
      assertEquals(List.of(), alarms);
    }
  }

  @Test
  void aNodeThatStartsLearnsWhatIsInRedisAlsoWhatItHasCountedBefore() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      Node before = node("mx1", redis);
      before.counts.add(mail(1));
      await("sent", () -> before.counts.figures().sent() == 1);
      before.counts.add(mail(2));
      before.stop();
      Node again = node("mx1", redis);
      await("learned", () -> again.merged.equals(mails(1, 3)));
      again.counts.add(mail(3));
      Node other = node("mx2", redis);
      await("all", () -> other.merged.equals(mails(1, 4)));
      assertEquals(mails(1, 3), again.merged, "what it counts now is not counted twice");
    }
  }

  @Test
  void whileRedisIsStoppedNobodyWaitsAndAllIsSentAfterwards() throws Exception {
    try (RealRedis redis = RealRedis.start(folder)) {
      Node first = node("mx1", redis);
      Node second = node("mx2", redis);
      await("connected", () -> nodes.stream().allMatch(n -> n.counts.figures().connected()));
      redis.signal("STOP");
      for (int i = 0; i < 1_000; i++) {
        first.counts.add(mail(i));
      }
      await("lost", () -> nodes.stream().noneMatch(n -> n.counts.figures().connected()));
      assertEquals(1_000, first.counts.figures().waiting());
      for (int i = 1_000; i < 2_000; i++) {
        first.counts.add(mail(i));
      }
      redis.signal("CONT");
      await("healed", () -> second.merged.size() == 2_000);
      assertEquals(mails(0, 2_000), second.merged);
      assertTrue(second.longestAgo.get() >= 1_000, () -> "counted long ago: " + second.longestAgo);
      // A machine that is busy for 2 s loses the server once more, with the same line.
      assertEquals(2, Set.copyOf(alarms).size(), () -> "one line of each: " + alarms);
      assertTrue(alarms.getFirst().contains("counts alone until it is back"), alarms::toString);
    }
  }

  @Test
  void whatDoesNotFitWhileRedisIsAwayIsDroppedAndCounted() throws Exception {
    RealRedis redis = RealRedis.start(folder);
    Node first = node("mx1", redis);
    await("connected", () -> first.counts.figures().connected());
    redis.kill();
    await("lost", () -> !first.counts.figures().connected());
    long added = 0;
    for (int round = 0; first.counts.figures().dropped() == 0; round++) {
      assertTrue(round < 100, "it is bounded");
      for (int i = 0; i < CountOutbox.MOST_COUNTS / 2; i++) {
        first.counts.add(mail(i));
        added++;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(60));
    }
    try (RealRedis again = RealRedis.start(folder, redis.port())) {
      Node second = node("mx2", again);
      long all = added;
      await(
          "the rest arrives",
          () -> second.counts.figures().merged() == all - first.counts.figures().dropped());
      await("none waits", () -> first.counts.figures().waiting() == 0);
    }
  }

  @Test
  void aStreamThatWasLostOrIsOfAServerWithAnotherClockIsReadFromItsStart() throws Exception {
    RealRedis redis = RealRedis.start(folder);
    Node first = node("mx1", redis);
    Node second = node("mx2", redis);
    try (RedisServer server = RedisServer.at(redis.address())) {
      // An entry that is years ahead, as of a clock that was wrong.
      server
          .commands()
          .xadd(PREFIX + "counts", new StreamEntryID(9_000_000_000_000L), Map.of("b", "?"));
    }
    first.counts.add(mail(1));
    await("behind it", () -> second.merged.equals(mails(1, 2)));
    redis.kill();
    try (RealRedis again = RealRedis.start(folder, redis.port())) {
      assertTrue(again.port() > 0);
      first.counts.add(mail(2));
      await("of the new stream", () -> second.merged.equals(mails(1, 3)));
    }
  }

  @Test
  void whatIsNoBatchOfThisFleetIsSkippedWithOneLine() throws Exception {
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      Node second = node("mx2", redis);
      byte[] key = (PREFIX + "counts").getBytes(US_ASCII);
      byte[] field = "b".getBytes(US_ASCII);
      for (String bad : List.of("", "x", "\u001b[31m", "a text that is long enough to be one")) {
        server.commands().xadd(key, new XAddParams(), Map.of(field, bad.getBytes(US_ASCII)));
      }
      Node stranger = new Node("mx3", redis.address(), secret("another fleet's secret")).started();
      stranger.counts.add(mail(7));
      await("skipped by both", () -> second.counts.figures().skipped() >= 6);
      Node first = node("mx1", redis);
      first.counts.add(mail(1));
      await("what follows is merged", () -> second.merged.equals(mails(1, 2)));
      // A copy of a batch counts once, wherever it comes from.
      StreamEntryBinary last =
          server
              .commands()
              .xreadBinary(new XReadParams(), Map.of(key, new StreamEntryID(0, 0)))
              .getFirst()
              .getValue()
              .getLast();
      server.commands().xadd(key, new XAddParams(), last.getFields());
      first.counts.add(mail(2));
      await("and the next one", () -> second.merged.contains(mail(2)));
      assertEquals(mails(1, 3), second.merged);
      assertEquals(
          1, alarms.stream().filter(line -> line.startsWith("mx2")).count(), alarms::toString);
      assertTrue(alarms.stream().noneMatch(line -> line.contains("\u001b")), alarms::toString);
      assertFalse(stranger.merged.contains(mail(1)));
    }
  }

  /** It never saw the first one, so only the time under the seal tells a copy. */
  @Test
  void aBatchOfAnotherTimeIsNoneForANodeThatStartsLater() throws Exception {
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      CountKeys keys = CountKeys.of(secret("a secret of this fleet"));
      CountSeal seal = new CountSeal(keys.seal(), "mx1", 5);
      CountOutbox outbox = new CountOutbox();
      byte[] key = (PREFIX + "counts").getBytes(US_ASCII);
      byte[] field = "b".getBytes(US_ASCII);
      long now = server.millis();
      long copied = now - SharedCounts.MOST_LATE.toMillis() - 1_000;
      for (long at : List.of(copied, now)) {
        outbox.add(mail(at == now ? 2 : 1));
        outbox.collect(0);
        byte[] batch = outbox.next(1, seal, 0, at).getFirst();
        outbox.sent(1);
        server.commands().xadd(key, new XAddParams(), Map.of(field, batch));
      }
      Node later = node("mx2", redis);
      await("merged", () -> !later.merged.isEmpty());
      assertEquals(mails(2, 3), later.merged);
      assertEquals(1, later.counts.figures().skipped());
    }
  }

  @Test
  void whatIsLargerThanAnyReplyMayBeIsLeftOut() throws Exception {
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer server = RedisServer.at(redis.address())) {
      Node first = node("mx1", redis);
      Node second = node("mx2", redis);
      await("connected", () -> nodes.stream().allMatch(n -> n.counts.figures().connected()));
      byte[] huge = new byte[BoundedReplies.MAX_TEXT_OCTETS + 1];
      server
          .commands()
          .xadd(
              (PREFIX + "counts").getBytes(US_ASCII),
              new XAddParams(),
              Map.of("b".getBytes(US_ASCII), huge));
      await("skipped", () -> nodes.stream().allMatch(n -> n.counts.figures().skipped() == 1));
      await("connected", () -> nodes.stream().allMatch(n -> n.counts.figures().connected()));
      first.counts.add(mail(1));
      await("what follows is merged", () -> second.merged.equals(mails(1, 2)));
    }
  }

  /** The user of the handbook may do all that is needed. */
  @Test
  void theUserOfTheHandbookSuffices() throws Exception {
    String handbook = Files.readString(Path.of("../config/README.md"));
    int start = handbook.indexOf("redis-cli ACL SETUSER ");
    String line = handbook.substring(start, handbook.indexOf('\n', start));
    assertTrue(line.contains(" '>SECRET' "), "a shell takes > for a file");
    String[] words = line.replace("'", "").split(" ");
    try (RealRedis redis = RealRedis.start(folder);
        RedisServer admin = RedisServer.at(redis.address())) {
      CommandArguments command = new CommandArguments(Protocol.Command.ACL);
      for (String word : List.of(words).subList(2, words.length)) {
        command.add(word);
      }
      admin.commands().executeCommand(command);
      RedisAddress user = RedisAddress.read("redis://bloomgate:SECRET@127.0.0.1:" + redis.port());
      Path secret = secret("a secret of this fleet");
      Node first = new Node("mx1", user, secret).started();
      Node second = new Node("mx2", user, secret).started();
      first.counts.add(mail(1));
      await("merged", () -> second.merged.equals(mails(1, 2)));
      await("read to the end", () -> second.counts.reachMillis() >= 0);
      assertEquals(List.of(), alarms);
    }
  }
}
